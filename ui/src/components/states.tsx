import { Box, Button, Paper, Skeleton, Stack, Text } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";

import { adviceFor, detailOf, isGone, traceOf } from "@/api/problem";

import rows from "./Rows.module.css";
import styles from "./states.module.css";

/** Shown while a list is on its way: as tall as the rows that will stand there. */
export function Loading({ rows: count = 3 }: { rows?: number }) {
  return (
    <div className={`${rows.rows} ${styles.loading}`} role="status" aria-label="Loading">
      {Array.from({ length: count }, (_, index) => (
        <div key={index} className={rows.row}>
          <div className={rows.text}>
            <Skeleton height={14} width={`${38 - ((index * 7) % 18)}%`} my={4} />
            <Skeleton height={11} width={`${62 - ((index * 11) % 24)}%`} my={5} />
          </div>
        </div>
      ))}
    </div>
  );
}

/** The same for a form. */
export function LoadingForm() {
  return (
    <Stack gap="md" className={styles.loading} role="status" aria-label="Loading">
      <Skeleton height={36} />
      <Skeleton height={36} />
      <Skeleton height={36} />
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
      {action && <Box mt="sm">{action}</Box>}
    </Paper>
  );
}

interface FailedProps {
  error: unknown;
  retry: () => unknown;
  title?: string;
}

/** Something could not be read: what happened, what to do, and another try. */
export function Failed({ error, retry, title = "This could not be read" }: FailedProps) {
  const [trying, setTrying] = useState(false);
  const trace = traceOf(error);
  const advice = adviceFor(error);
  const tryAgain = async () => {
    setTrying(true);
    await retry();
    setTrying(false);
  };
  return (
    <Paper withBorder radius="md" p="lg" role="alert">
      <Text fw={500}>{title}</Text>
      <Text c="dimmed" size="sm">
        {detailOf(error)} {advice}
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
        loading={trying}
        onClick={() => void tryAgain()}
      >
        Try again
      </Button>
    </Paper>
  );
}

interface Reading<T> {
  data: T | undefined;
  error: unknown;
  refetch: () => unknown;
}

interface LoadedProps<T> {
  query: Reading<T>;
  /** In the place of what is on its way. */
  loading?: ReactNode;
  children: (data: T) => ReactNode;
}

/** One thing that is read: on its way, not readable, or there. */
export function Loaded<T>({ query, loading = <Loading />, children }: LoadedProps<T>) {
  if (query.error && (!query.data || isGone(query.error))) {
    return <Failed error={query.error} retry={query.refetch} />;
  }
  return query.data ? children(query.data) : loading;
}
