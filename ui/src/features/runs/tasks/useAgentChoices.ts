import { api } from "@/api/client";

/** The agents of a workspace that can be given work; one that is chosen already stays in the list. */
export function useAgentChoices(workspaceId: string, chosen?: string | null) {
  const query = { workspaceId };
  const agents = api.useQuery(
    "get",
    "/api/v1/agents",
    { params: { query } },
    { enabled: workspaceId !== "" },
  );
  return (agents.data?.items ?? [])
    .filter(({ id, isActive }) => isActive !== false || id === chosen)
    .map(({ id, name, isActive }) => ({
      value: id,
      label: isActive === false ? `${name} (switched off)` : name,
    }));
}
