import { Box, Group, Paper, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";

import { useOfficeName, useTitle } from "@/components/useTitle";

interface Props {
  title: string;
  description?: ReactNode;
  children?: ReactNode;
}

/** The pages in front of the office: log-in, set-up and welcome. */
export function Door({ title, description, children }: Props) {
  const office = useOfficeName();
  useTitle(title);
  return (
    <Box
      component="main"
      mih="100dvh"
      px="md"
      pb="md"
      pt={{ base: "xl", sm: "12vh" }}
      style={{ background: "var(--bw-surface)" }}
    >
      <Box maw={400} mx="auto">
        <Group gap="xs" mb="lg" justify="center">
          <img src="/favicon.svg" alt="" width={26} height={26} />
          <Text fw={600} size="lg">
            {office}
          </Text>
        </Group>
        <Paper withBorder radius="md" p="xl">
          <Stack gap="md">
            <div>
              <Title order={1}>{title}</Title>
              {description && (
                <Text c="dimmed" mt={4}>
                  {description}
                </Text>
              )}
            </div>
            {children}
          </Stack>
        </Paper>
      </Box>
    </Box>
  );
}
