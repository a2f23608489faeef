import { api } from "@/api/client";

/** The tools of a workspace; they change with the program only. */
export function useTools(workspaceId: string | undefined) {
  const { data, isPending } = api.useQuery(
    "get",
    "/api/v1/workspaces/{workspace_id}/tools",
    { params: { path: { workspace_id: workspaceId ?? "" } } },
    { enabled: workspaceId !== undefined, staleTime: 300_000 },
  );
  return { tools: data?.items, pending: isPending };
}
