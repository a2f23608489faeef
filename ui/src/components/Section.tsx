import { Box, Group, Text, Title } from "@mantine/core";
import { type ReactNode, useId } from "react";

interface Props {
  title: string;
  description?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** A part of a page under its own heading. */
export function Section({ title, description, actions, children }: Props) {
  const id = useId();
  return (
    <Box component="section" aria-labelledby={id} mb="xl">
      <Group justify="space-between" align="flex-end" mb="xs" gap="sm">
        <Box flex="1 1 260px">
          <Title order={2} id={id}>
            {title}
          </Title>
          {description && (
            <Text c="dimmed" size="sm" maw={620}>
              {description}
            </Text>
          )}
        </Box>
        {actions}
      </Group>
      {children}
    </Box>
  );
}
