import { Section } from "@/components/Section";
import { SortableRows } from "@/components/SortableRows";
import { useMayWrite, useWorkspaceName } from "@/features/gate/shared/useWorkspaces";

import { AgentRow } from "./AgentRow";
import { useOrder } from "./useOrder";
import type { Agent } from "./values";

/** The agents of each workspace, in their order. */
export function AgentLists({ agents }: { agents: Agent[] }) {
  const workspaceName = useWorkspaceName();
  const workspaces = [...new Set(agents.map(({ workspaceId }) => workspaceId))];
  const lists = workspaces.map((id) => ({
    id,
    items: agents.filter(({ workspaceId }) => workspaceId === id),
  }));
  if (lists.length === 1 && lists[0]) return <AgentList {...lists[0]} label="Agents" />;
  return lists.map(({ id, items }) => (
    <Section key={id} title={workspaceName(id)}>
      <AgentList id={id} items={items} label={`Agents in ${workspaceName(id)}`} />
    </Section>
  ));
}

function AgentList({ id, items, label }: { id: string; items: Agent[]; label: string }) {
  const move = useOrder(id);
  const mayWrite = useMayWrite()(id);
  return (
    <SortableRows
      label={label}
      noun="agent"
      items={items}
      onMove={(from, to) => move(items, from, to)}
    >
      {items.map((agent, place) => (
        <AgentRow
          key={agent.id}
          agent={agent}
          place={place}
          isLast={place === items.length - 1}
          onMove={mayWrite && items.length > 1 ? (to) => move(items, place, to) : undefined}
        />
      ))}
    </SortableRows>
  );
}
