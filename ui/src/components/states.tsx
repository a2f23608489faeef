import { Button, Paper, Skeleton, Stack, Text } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import type { ReactNode } from "react";

import { detailOf, traceOf } from "@/api/problem";

/** Shown while a list is on its way, in the place it will take. */
export function Loading({ rows = 3 }: { rows?: number }) {
  return (
    <Stack gap={8} role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, index) => (
        <Skeleton key={index} height={52} radius="md" />
      ))}
    </Stack>
  );
}

interface EmptyProps {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}

/** Nothing is there yet; says what to do next. */
export function Empty({ title, children, action }: EmptyProps) {
  return (
    <Paper withBorder radius="md" p="lg">
      <Text fw={500}>{title}</Text>
      {children && (
        <Text c="dimmed" size="sm">
          {children}
        </Text>
      )}
      {action && <div style={{ marginTop: 12 }}>{action}</div>}
    </Paper>
  );
}

interface FailedProps {
  error: unknown;
  retry: () => unknown;
}

/** Something could not be read. */
export function Failed({ error, retry }: FailedProps) {
  const trace = traceOf(error);
  return (
    <Paper withBorder radius="md" p="lg" role="alert">
      <Text fw={500}>This could not be read</Text>
      <Text c="dimmed" size="sm">
        {detailOf(error)}
      </Text>
      {trace && (
        <Text c="dimmed" size="xs" ff="monospace" mt={4}>
          Trace {trace}
        </Text>
      )}
      <Button
        mt="sm"
        size="xs"
        variant="default"
        leftSection={<IconRefresh size={14} />}
        onClick={() => void retry()}
      >
        Try again
      </Button>
    </Paper>
  );
}
