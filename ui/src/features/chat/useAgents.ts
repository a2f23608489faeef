import { api } from "@/api/client";

/** The agents that can be talked to, in one workspace or in all. */
export function useAgents(workspaceId?: string) {
  const { data } = api.useQuery("get", "/api/v1/agents", {
    params: { query: workspaceId ? { workspaceId } : {} },
  });
  return data?.items.filter(({ isActive }) => isActive) ?? [];
}

/** An agent's own id, by the one that threads know it by. */
export const agentOf = (assistantId: string) => assistantId.replace(/^asst-/, "agt-");

/** The id that threads know an agent by. */
export const assistantOf = (agentId: string) => agentId.replace(/^agt-/, "asst-");
