import { api } from "@/api/client";

import type { Session } from "./useSession";

interface Model {
  name: string;
  /** It works by rules; whoever reads its words must know. */
  isOffline: boolean;
}

/** The model that answers in a session: the session's own, or the agent's. */
export function useModel(session: Session | undefined): Model | null {
  const { agentId = "", modelId = null } = session ?? {};
  const params = { path: { agent_id: agentId } };
  const { data: agent } = api.useQuery(
    "get",
    "/api/v1/agents/{agent_id}",
    { params },
    { enabled: agentId !== "" },
  );
  const { data: models } = api.useQuery("get", "/api/v1/models", {}, { enabled: modelId !== null });
  const own = modelId === null ? undefined : models?.items.find(({ id }) => id === modelId);
  if (own) return { name: own.name, isOffline: own.provider === "offline" };
  return agent && modelId === null ? { name: agent.modelLabel, isOffline: agent.isOffline } : null;
}
