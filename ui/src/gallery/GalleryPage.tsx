import { Box, MantineProvider, SimpleGrid, Text, Title } from "@mantine/core";
import { useRef } from "react";

import { useTitle } from "@/components/useTitle";
import { cssVariables, theme } from "@/theme";

import { SPECIMENS } from "./specimens";

/** Every shared component in its states, light and dark. */
export function GalleryPage() {
  useTitle("Gallery");
  return (
    <Box component="main" p="xl">
      <Title order={1}>Gallery</Title>
      <Text c="dimmed" mb="xl">
        What pages are built from. Look here before you make something new.
      </Text>
      {SPECIMENS.map(({ name, show: Specimen }) => (
        <Box component="section" key={name} mb="xl">
          <Title order={2} mb="xs">
            {name}
          </Title>
          <SimpleGrid cols={{ base: 1, lg: 2 }}>
            {(["light", "dark"] as const).map((scheme) => (
              <Scheme key={scheme} scheme={scheme}>
                <Specimen />
              </Scheme>
            ))}
          </SimpleGrid>
        </Box>
      ))}
    </Box>
  );
}

interface Props {
  scheme: "light" | "dark";
  children: React.ReactNode;
}

/** A part of the page in its own colours. */
function Scheme({ scheme, children }: Props) {
  const ref = useRef<HTMLDivElement>(null);
  return (
    <Box
      ref={ref}
      className={`gallery-${scheme}`}
      data-mantine-color-scheme={scheme}
      p="md"
      miw={0}
      bdrs="md"
      bg="var(--mantine-color-body)"
      c="var(--mantine-color-text)"
      style={{ border: "1px solid var(--mantine-color-default-border)" }}
    >
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariables}
        cssVariablesSelector={`.gallery-${scheme}`}
        getRootElement={() => ref.current ?? undefined}
        forceColorScheme={scheme}
      >
        {children}
      </MantineProvider>
    </Box>
  );
}
