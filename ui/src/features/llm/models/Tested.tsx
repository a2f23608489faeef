import { Text } from "@mantine/core";

import type { Schemas } from "@/api/client";
import { detailOf } from "@/api/problem";
import { StateMark } from "@/components/StateMark";
import { Untrusted } from "@/features/gate/shared/Untrusted";

import { counted, dollars, fromMillionths, took } from "./amounts";

interface Props {
  result: Schemas["ModelTestOut"] | undefined;
  error: unknown;
}

/** How a model answered the tiny question, or why it did not. */
export function Tested({ result, error }: Props) {
  const problem = error ? detailOf(error) : result?.error;
  return (
    <div role="status">
      {problem && (
        <StateMark state="failed">
          <Untrusted>{problem}</Untrusted>
        </StateMark>
      )}
      {result?.ok && (
        <StateMark state="ok">
          <span>
            It said “<Untrusted most={120}>{result.said.trim()}</Untrusted>”{" "}
            <Text span size="sm" c="dimmed">
              {figures(result)}
            </Text>
          </span>
        </StateMark>
      )}
      {result?.notes.map((note) => (
        <Text key={note} size="sm" c="dimmed">
          {note}
        </Text>
      ))}
    </div>
  );
}

function figures({ latencyMs, inputTokens, outputTokens, money }: Schemas["ModelTestOut"]) {
  const cost = money === null ? "a price that is not known" : dollars(fromMillionths(money));
  return `after ${took(latencyMs)}, with ${counted(inputTokens + outputTokens, "token")}, for ${cost}`;
}
