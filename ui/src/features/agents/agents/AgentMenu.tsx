import { Menu } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";

import { MoreMenu } from "@/components/MoreMenu";
import { useDraftKey } from "@/drafts/drafts";
import { useMayWrite } from "@/features/gate/shared/useWorkspaces";

import { keep, kept } from "./drafts";
import { useAgentActions } from "./useAgentActions";
import type { Agent } from "./values";

interface Props {
  agent: Agent;
  place?: number;
  isLast?: boolean;
  /** Left out: it is not one of a list, or may not be moved. */
  onMove?: (to: number) => void;
}

/** What else one does with an agent. */
export function AgentMenu({ agent, place = 0, isLast, onMove }: Props) {
  const { duplicate, remove } = useAgentActions();
  const navigate = useNavigate();
  const key = useDraftKey()(agent.id);
  const mayWrite = useMayWrite();
  const del = () => {
    keep(key, null);
    remove(agent);
  };
  return (
    <MoreMenu label={`More for ${agent.name}`}>
      <Menu.Item onClick={() => void navigate({ to: "/runs", search: { agent: agent.id } })}>
        Its runs
      </Menu.Item>
      {mayWrite(agent.workspaceId) && (
        <Menu.Item onClick={() => duplicate(agent, kept(key)?.values)}>Duplicate</Menu.Item>
      )}
      {onMove && place > 0 && <Menu.Item onClick={() => onMove(place - 1)}>Move up</Menu.Item>}
      {onMove && !isLast && <Menu.Item onClick={() => onMove(place + 1)}>Move down</Menu.Item>}
      {agent.canEdit && <Menu.Item onClick={del}>Delete</Menu.Item>}
    </MoreMenu>
  );
}
