import { useQueryClient } from "@tanstack/react-query";

import { api, type Schemas } from "@/api/client";
import { notify } from "@/components/notify";
import { useRefresh } from "@/live/useRefresh";

import type { Agent } from "./values";

/** Putting the agents of a workspace into another order, with a way back. */
export function useOrder(workspaceId: string) {
  const client = useQueryClient();
  const refresh = useRefresh();
  const order = api.useMutation("put", "/api/v1/agents/order", {
    onSettled: () => refresh("agent"),
  });
  const { queryKey } = api.queryOptions("get", "/api/v1/agents");

  /** The rows are where they were put before the server has answered. */
  const arrange = (ids: string[]) => {
    client.setQueryData<Schemas["Page_AgentOut_"]>(
      queryKey,
      (old) => old && { ...old, items: inOrder(old.items, ids) },
    );
    return order.mutateAsync({ body: { workspaceId, ids } });
  };
  return (agents: Agent[], from: number, to: number) => {
    const moved = agents[from];
    if (!moved || from === to || to < 0 || to >= agents.length) return;
    const before = agents.map(({ id }) => id);
    const after = before.toSpliced(from, 1).toSpliced(to, 0, moved.id);
    const said = `“${moved.name}” is number ${to + 1} now.`;
    notify.undoable(arrange(after), said, () => arrange(before));
  };
}

function inOrder(agents: Agent[], ids: string[]): Agent[] {
  const places = new Map(ids.map((id, place) => [id, place]));
  const placeOf = ({ id }: Agent) => places.get(id) ?? 0;
  return agents.toSorted((one, other) =>
    one.workspaceId === other.workspaceId ? placeOf(one) - placeOf(other) : 0,
  );
}
