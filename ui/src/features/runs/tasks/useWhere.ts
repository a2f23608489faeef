import { api } from "@/api/client";

/** What a workspace is called, for whoever is in more than one. */
export function useWhere(): (id: string) => string | undefined {
  const items = api.useQuery("get", "/api/v1/workspaces").data?.items ?? [];
  return (id) => (items.length > 1 ? items.find((one) => one.id === id)?.name : undefined);
}
