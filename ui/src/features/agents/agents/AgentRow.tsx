import { Button, Switch } from "@mantine/core";
import { IconMessage } from "@tabler/icons-react";

import { SortableRow } from "@/components/SortableRow";
import { StateMark, Tag } from "@/components/StateMark";
import { TextLink } from "@/components/TextLink";
import { useDraftKey } from "@/drafts/drafts";
import { useWorkspaceName } from "@/features/gate/shared/useWorkspaces";
import { useMe } from "@/features/identity/useMe";

import { AgentMenu } from "./AgentMenu";
import { useKept } from "./drafts";
import { useAgentActions } from "./useAgentActions";
import { useTalk } from "./useTalk";
import { type Agent, formValues } from "./values";
import { KINDS, scopeInWords } from "./words";

interface Props {
  agent: Agent;
  place: number;
  isLast: boolean;
  /** Left out: the reader may not move it. */
  onMove?: (to: number) => void;
}

/** One agent: what it is, what it may do, and whether it is on. */
export function AgentRow({ agent, place, isLast, onMove }: Props) {
  const { id, name, workspaceId, ownerId, ownerName, shared, isOffline, modelLabel, canEdit } =
    agent;
  const isActive = agent.isActive ?? true;
  const me = useMe();
  const workspaceName = useWorkspaceName();
  const isUnsaved = useKept(useDraftKey()(id)) !== undefined;
  const { switchTo } = useAgentActions();
  const talk = useTalk();
  return (
    <SortableRow
      id={id}
      name={name}
      mayMove={onMove !== undefined}
      title={
        <TextLink to="/agents/$agentId" params={{ agentId: id }} fw={500}>
          {name}
        </TextLink>
      }
      marks={
        <>
          <Tag>{KINDS[agent.kind ?? "assistant"].label}</Tag>
          {shared && <Tag>shared</Tag>}
          {isUnsaved && <Tag>unsaved</Tag>}
          {!isActive && <StateMark state="off">switched off</StateMark>}
        </>
      }
      meta={[
        scopeInWords(formValues(agent, workspaceId)),
        isOffline ? `Rules, not AI: ${modelLabel}` : modelLabel,
        workspaceName(workspaceId),
        ownerId === me.id ? null : `${ownerName}’s`,
        <TextLink to="/runs" search={{ agent: id }} size="sm" aria-label={`Runs of ${name}`}>
          Runs
        </TextLink>,
      ]}
      actions={
        <>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconMessage size={14} />}
            aria-label={`Talk to ${name}`}
            disabled={!isActive}
            onClick={() => talk(id)}
          >
            Talk
          </Button>
          {canEdit && (
            <Switch
              size="sm"
              aria-label={`${name} is switched on`}
              checked={isActive}
              onChange={(event) => switchTo(agent, event.currentTarget.checked)}
            />
          )}
          <AgentMenu agent={agent} place={place} isLast={isLast} onMove={onMove} />
        </>
      }
    />
  );
}
