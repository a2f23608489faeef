import { Stack, Text } from "@mantine/core";

import { CodeBlock } from "@/components/CodeBlock";
import { StateMark } from "@/components/StateMark";
import { Unfold } from "@/components/Unfold";
import { Untrusted } from "@/features/gate/shared/Untrusted";
import { counted, took } from "@/features/llm/models/amounts";

import styles from "./Timeline.module.css";
import { type Attempt, errorOf, type ProviderEvent } from "./timeline";
import { asJson } from "./words";

/** Each try to get an answer from a model: what was sent, what came back, or what went wrong. */
export function Attempts({ attempts }: { attempts: Attempt[] }) {
  return (
    <Stack gap="sm">
      {attempts.map(({ key, request, end }, place) => (
        <div key={key}>
          <div className={styles.line}>
            <Text size="sm" fw={500}>
              {attempts.length > 1 ? `Attempt ${place + 1}: ` : ""}
              {(end ?? request)?.model}
            </Text>
            <Outcome end={end} />
          </div>
          {request && (
            <Unfold label={<Text size="sm">What was sent{beside(request)}</Text>}>
              {() => <CodeBlock label="What was sent">{asJson(request.payload)}</CodeBlock>}
            </Unfold>
          )}
          {end && (
            <Unfold label={<Text size="sm">What came back</Text>}>
              {() => <CodeBlock label="What came back">{asJson(end.payload)}</CodeBlock>}
            </Unfold>
          )}
        </div>
      ))}
      <Text size="xs" c="dimmed">
        With what redaction takes out gone. Kept for as many days as the office's settings say.
      </Text>
    </Stack>
  );
}

function Outcome({ end }: { end: ProviderEvent | undefined }) {
  if (!end) return <StateMark state="waiting">no answer yet</StateMark>;
  const time = end.latencyMs === null ? "" : ` after ${took(end.latencyMs)}`;
  if (end.kind === "response") return <StateMark state="ok">answered{time}</StateMark>;
  const error = errorOf(end);
  return (
    <StateMark state="failed">
      <span>
        {end.status ? `error ${end.status}` : "failed"}
        {time}
        {error && (
          <>
            : <Untrusted most={300}>{error}</Untrusted>
          </>
        )}
      </span>
    </StateMark>
  );
}

/** Messages of earlier steps are not kept twice. */
function beside({ payload }: ProviderEvent): string {
  const earlier = payload.earlier_messages;
  return typeof earlier === "number" && earlier > 0
    ? `, after ${counted(earlier, "message")} of earlier steps`
    : "";
}
