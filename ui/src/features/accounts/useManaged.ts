import { api, type Schemas } from "@/api/client";

/** The workspaces in which one may connect accounts of one's own. */
export function useManaged(): { items: Schemas["WorkspaceOut"][]; isPending: boolean } {
  const { data, isPending } = api.useQuery("get", "/api/v1/workspaces");
  return { items: data?.items.filter(({ role }) => role !== "read") ?? [], isPending };
}
