import { Code } from "@mantine/core";

import { Fact, Facts } from "@/components/Facts";
import { TextLink } from "@/components/TextLink";
import { When } from "@/components/When";
import { CallerName } from "@/features/gate/shared/CallerName";
import { DecisionMark } from "@/features/gate/shared/DecisionMark";
import { Untrusted } from "@/features/gate/shared/Untrusted";
import { useWorkspaceName } from "@/features/gate/shared/useWorkspaces";
import { EFFECTS } from "@/features/gate/shared/words";

import { StatusMark } from "./StatusMark";
import { callerOf, type Detail, durationInWords, labelInWords } from "./words";

/** Who asked for what, what was decided, and what came of it. */
export function EntryFacts({ entry }: { entry: Detail }) {
  const { tool, effect, ruleName, reason, label, summary, error, redacted, durationMs } = entry;
  const workspaceName = useWorkspaceName();
  return (
    <Facts>
      <Fact name="When">
        <When at={entry.at} />
      </Fact>
      <Fact name="Who">
        <CallerName caller={callerOf(entry)} />
      </Fact>
      <Fact name="Tool">
        <Untrusted most={128}>{tool ?? "unknown"}</Untrusted>
        {effect && `, ${(EFFECTS as Record<string, string>)[effect] ?? effect}`}
      </Fact>
      {entry.workspaceId && <Fact name="Where">{workspaceName(entry.workspaceId)}</Fact>}
      <Fact name="Decision">
        <DecisionMark decision={entry.decision} />
      </Fact>
      {ruleName && (
        <Fact name="Rule">
          <TextLink to="/policies" search={{ dialog: entry.ruleId ?? undefined }}>
            {ruleName}
          </TextLink>
        </Fact>
      )}
      {reason && (
        <Fact name="Why">
          <Untrusted>{reason}</Untrusted>
        </Fact>
      )}
      {label && <Fact name="Had read">{labelInWords(label)}</Fact>}
      <Fact name="Outcome">
        <StatusMark status={entry.status} />
      </Fact>
      {summary && (
        <Fact name="Result">
          <Untrusted>{summary}</Untrusted>
        </Fact>
      )}
      {error && (
        <Fact name="Error">
          <Untrusted>{error}</Untrusted>
        </Fact>
      )}
      {redacted.length > 0 && (
        <Fact name="Taken out">
          {redacted.map((field) => (
            <Code key={field} mr={4}>
              {field}
            </Code>
          ))}
        </Fact>
      )}
      {durationMs !== null && <Fact name="Took">{durationInWords(durationMs)}</Fact>}
      <Ids entry={entry} />
    </Facts>
  );
}

function Ids({ entry: { approvalId, actionId, callId, traceId } }: { entry: Detail }) {
  return (
    <>
      {approvalId && (
        <Fact name="Approval">
          <TextLink to="/approvals/$approvalId" params={{ approvalId }} ff="monospace">
            {approvalId}
          </TextLink>
        </Fact>
      )}
      {actionId && (
        <Fact name="Action">
          <TextLink to="/activity/$actionId" params={{ actionId }} ff="monospace">
            {actionId}
          </TextLink>
        </Fact>
      )}
      {callId && (
        <Fact name="Call">
          <code>{callId}</code>
        </Fact>
      )}
      {traceId && (
        <Fact name="Trace">
          <code>{traceId}</code>
        </Fact>
      )}
    </>
  );
}

/** What ties the entry to the one before it. */
export function ChainFacts({ entry: { id, hash, previous, keyId } }: { entry: Detail }) {
  return (
    <Facts>
      <Fact name="Entry">
        <code>{id}</code>
      </Fact>
      <Fact name="Its hash">
        <code>{hash}</code>
      </Fact>
      <Fact name="The one before">
        <code>{previous}</code>
      </Fact>
      <Fact name="Key">
        <code>{keyId}</code>
      </Fact>
    </Facts>
  );
}
