import { Box, Paper, Text } from "@mantine/core";
import { useEffect, useRef } from "react";

import type { Schemas } from "@/api/client";
import { Row, Rows } from "@/components/Rows";
import { StateMark } from "@/components/StateMark";
import { DecisionMark } from "@/features/gate/shared/DecisionMark";

type Verdict = Schemas["VerdictOut"];

/** What the rules said to a call, and which of them were asked on the way. */
export function VerdictView({ verdict }: { verdict: Verdict }) {
  const here = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // In braces: newer browsers return a promise, which is no clean-up.
    here.current?.scrollIntoView({ block: "nearest" });
  }, [verdict]);
  return (
    <Box ref={here} role="status" aria-label="What the rules say">
      <Paper withBorder p="sm" radius="md" mb="xs">
        <DecisionMark decision={verdict.action} />
        <Text size="sm" mt={4}>
          {verdict.reason}
        </Text>
        {verdict.fields.length > 0 && (
          <Text size="sm" c="dimmed">
            Taken out: {verdict.fields.join(", ")}
          </Text>
        )}
      </Paper>
      {verdict.lookedAt.length > 0 && (
        <Rows label="Rules that were asked">
          {verdict.lookedAt.map((rule) => (
            <Row
              key={rule.ruleId}
              title={
                <Text span fw={rule.holds ? 500 : 400}>
                  {rule.name}
                </Text>
              }
              actions={<Holds holds={rule.holds} />}
            />
          ))}
        </Rows>
      )}
    </Box>
  );
}

function Holds({ holds }: { holds: boolean | null }) {
  if (holds === null) return <StateMark state="warning">could not be worked out</StateMark>;
  return holds ? (
    <StateMark state="ok">fits</StateMark>
  ) : (
    <StateMark state="off">does not fit</StateMark>
  );
}
