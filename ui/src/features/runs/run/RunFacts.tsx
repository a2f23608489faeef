import { Text } from "@mantine/core";

import { Fact, Facts } from "@/components/Facts";
import { TextLink } from "@/components/TextLink";
import { When } from "@/components/When";
import { Untrusted } from "@/features/gate/shared/Untrusted";
import { useWorkspaceName } from "@/features/gate/shared/useWorkspaces";
import { counted, dollars, figure, savedInWords } from "@/features/llm/models/amounts";

import { RunMark } from "../list/RunMark";
import { Took } from "../list/Took";
import { KINDS } from "../list/words";
import { Names } from "./Names";
import { Origin } from "./Origin";
import type { ProviderEvent, Session } from "./timeline";
import { useModelName } from "./useModelName";
import { WHY } from "./words";

interface Props {
  session: Session;
  events: ProviderEvent[];
}

/** What is so about a run, beside its timeline. */
export function RunFacts({ session, events }: Props) {
  const { why, errorMessage, filesModified, strangers, pendingActions } = session;
  const workspaceName = useWorkspaceName();
  const modelName = useModelName();
  const models = [...new Set(events.map(({ model }) => model))];
  const unpriced = events.some(({ kind, money }) => kind === "response" && money === null);
  const caching = savedInWords(session.saved);
  const waits = pendingActions.length > 0 ? "waits for a person" : "waits for another agent";
  return (
    <Facts>
      <Fact name="How it stands">
        <RunMark run={session} words={session.status === "waiting" ? waits : undefined} />
        {pendingActions.map(({ id }) => (
          <div key={id}>
            <TextLink to="/approvals/$approvalId" params={{ approvalId: id }} size="sm">
              Answer it
            </TextLink>
          </div>
        ))}
      </Fact>
      {why && why !== "done" && (
        <Fact name="Why it ended">
          {WHY[why]}
          {errorMessage && (
            <Text size="sm" c="dimmed">
              <Untrusted>{errorMessage}</Untrusted>
            </Text>
          )}
        </Fact>
      )}
      <Fact name="Agent">
        <TextLink to="/agents/$agentId" params={{ agentId: session.agentId }}>
          {session.agentName}
        </TextLink>
      </Fact>
      <Fact name="Started by">{session.userName}</Fact>
      <Fact name="Kind">{KINDS[session.kind]}</Fact>
      <Origin session={session} />
      <Fact name="Workspace">{workspaceName(session.workspaceId)}</Fact>
      <Fact name="Model">{models.length > 0 ? models.join(", ") : modelName(session.modelId)}</Fact>
      <Fact name="Begun">
        <When at={session.startedAt ?? session.createdAt} />
      </Fact>
      <Fact name="Took">
        <Took run={session} />
      </Fact>
      <Fact name="Steps">
        {figure(session.steps)} of at most {figure(session.stepLimit)} in a row
      </Fact>
      <Fact name="Model calls">{figure(session.apiCallsMade)}</Fact>
      <Fact name="Tokens">
        {counted(session.tokensUsed, "token")}
        <Text size="sm" c="dimmed">
          {figure(session.inputTokens)} in, {figure(session.outputTokens)} out
          {session.cacheReadTokens > 0 &&
            `, ${figure(session.cacheReadTokens)} of them from a cache`}
        </Text>
      </Fact>
      <Fact name="Money">
        {dollars(session.money)}
        {caching && (
          <Text size="sm" c="dimmed">
            {caching}
          </Text>
        )}
        {unpriced && (
          <Text size="sm" c="dimmed">
            calls whose price is not known count as $0
          </Text>
        )}
      </Fact>
      {filesModified.length > 0 && (
        <Fact name="Files changed">
          <Names label="Files changed" names={filesModified} />
        </Fact>
      )}
      {strangers.length > 0 && (
        <Fact name="Strangers' words">
          <Names label="Strangers' words that it read" names={strangers} />
        </Fact>
      )}
    </Facts>
  );
}
