import { api } from "@/api/client";

/** Says what a workspace is called. */
export function useWorkspaceName(): (id: string) => string {
  const { data } = api.useQuery("get", "/api/v1/workspaces");
  return (id) => data?.items.find((workspace) => workspace.id === id)?.name ?? id;
}

/** Whether the person may change things in a workspace. */
export function useMayWrite(): (id: string) => boolean {
  const { data } = api.useQuery("get", "/api/v1/workspaces");
  return (id) => data?.items.some((one) => one.id === id && one.role !== "read") ?? false;
}
