import { api } from "@/api/client";

/** The directors of a workspace: who can be given mail. */
export function useDirectors(workspaceId: string) {
  const { data } = api.useQuery(
    "get",
    "/api/v1/agents",
    { params: { query: { workspaceId } } },
    { enabled: workspaceId !== "" },
  );
  return data?.items.filter(({ kind }) => kind === "director");
}
