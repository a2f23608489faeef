import { api } from "@/api/client";

/** How many suggestions wait for a person. */
export function usePending(): number {
  const query = { status: "pending", PageSize: 1 } as const;
  const { data } = api.useQuery("get", "/api/v1/inbox/suggestions", { params: { query } });
  return data?.totalItems ?? 0;
}
