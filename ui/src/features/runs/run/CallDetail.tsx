import { Anchor, Group, Stack, Text } from "@mantine/core";

import { CodeBlock } from "@/components/CodeBlock";
import { TextLink } from "@/components/TextLink";
import { Arguments } from "@/features/gate/shared/Arguments";

import { Sent } from "@/features/chat/transcript/Sent";
import { argumentsOf, type Message, type Wanted } from "./timeline";
import { asJson, prettied } from "./words";

interface Props {
  runId: string;
  wanted: Wanted;
}

/** What a tool was given and what it answered, and where else the call is written down. */
export function CallDetail({ runId, wanted }: Props) {
  const values = argumentsOf(wanted.arguments);
  return (
    <Stack gap="sm">
      <div>
        <Text size="sm" c="dimmed">
          What {wanted.tool} was given
        </Text>
        {values ? (
          <Arguments values={values} />
        ) : (
          <CodeBlock label="What it was given">{asJson(wanted.arguments)}</CodeBlock>
        )}
        <Sent text={wanted.arguments} sent={wanted.sent} />
      </div>
      {wanted.result && <Answer runId={runId} result={wanted.result} />}
      <Records wanted={wanted} />
    </Stack>
  );
}

function Answer({ runId, result }: { runId: string; result: Message }) {
  return (
    <div>
      <Text size="sm" c="dimmed">
        What it answered
      </Text>
      <CodeBlock label="What it answered">{prettied(result.content)}</CodeBlock>
      <Sent text={result.content} sent={result.sent?.content} />
      {result.isCut && (
        <Anchor
          size="sm"
          target="_blank"
          rel="noopener"
          href={`/api/v1/sessions/${encodeURIComponent(runId)}/content?position=${result.position}`}
        >
          The whole answer, as text
        </Anchor>
      )}
    </div>
  );
}

function Records({ wanted: { call } }: { wanted: Wanted }) {
  if (!call?.approvalId && !call?.actionId) return null;
  return (
    <Group gap="md">
      {call.approvalId && (
        <TextLink to="/approvals/$approvalId" params={{ approvalId: call.approvalId }} size="sm">
          The question and its answer
        </TextLink>
      )}
      {call.actionId && (
        <TextLink to="/activity/$actionId" params={{ actionId: call.actionId }} size="sm">
          What was changed, and the way back
        </TextLink>
      )}
    </Group>
  );
}
