import { Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData } from "@tanstack/react-query";

import { api } from "@/api/client";
import { fieldErrorsOf } from "@/api/problem";

import styles from "./NextTimes.module.css";
import { inZone } from "./words";

interface Props {
  timing: string;
  timeZone: string | null;
}

/** When it would be due, while one types. */
export function NextTimes({ timing, timeZone }: Props) {
  const [body] = useDebouncedValue({ timing: timing.trim(), timeZone }, 250);
  const preview = api.useQuery(
    "post",
    "/api/v1/schedules/preview",
    { body },
    {
      enabled: body.timing !== "",
      staleTime: 30_000,
      gcTime: 60_000,
      placeholderData: keepPreviousData,
      retry: false,
    },
  );
  const wrong = preview.error ? Object.values(fieldErrorsOf(preview.error))[0] : undefined;
  return (
    <div className={styles.box} role="status" aria-label="When it is due next">
      {wrong && body.timing ? (
        <Text size="sm">{wrong}</Text>
      ) : (
        preview.data && (
          <>
            <Text size="sm" fw={500}>
              {preview.data.inWords}, {preview.data.timeZone}
            </Text>
            <ol className={styles.times}>
              {preview.data.times.map((at) => (
                <li key={at}>{inZone(at, preview.data.timeZone)}</li>
              ))}
            </ol>
          </>
        )
      )}
    </div>
  );
}
