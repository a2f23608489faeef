import { api } from "@/api/client";

/** How many calls of each caller wait for a person. */
export function useWaiting(): Map<string, number> {
  const { data } = api.useQuery("get", "/api/v1/approvals", {
    params: { query: { status: "pending", PageSize: 100 } },
  });
  const counts = new Map<string, number>();
  for (const { caller } of data?.items ?? []) {
    counts.set(caller.id, (counts.get(caller.id) ?? 0) + 1);
  }
  return counts;
}
