import { api } from "@/api/client";
import { useMe } from "@/features/identity/useMe";

function useMembers(workspaceId: string, enabled: boolean) {
  const { data } = api.useQuery(
    "get",
    "/api/v1/workspaces/{workspace_id}/members",
    { params: { path: { workspace_id: workspaceId } } },
    { enabled },
  );
  return data?.items ?? [];
}

/** Who someone in a workspace is: "you", or a name. */
export function usePerson(workspaceId: string, id: string | null): string {
  const me = useMe();
  const other = id !== null && id !== me.id && id.startsWith("usr");
  const members = useMembers(workspaceId, other);
  if (id === me.id) return "you";
  if (!other) return "the command line";
  return members.find(({ userId }) => userId === id)?.name ?? "someone who has left";
}
