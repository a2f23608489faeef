import { api } from "@/api/client";

/** How many calls wait for a person. */
export function useWaiting(): number {
  const query = { status: "pending", PageSize: 1 } as const;
  const { data } = api.useQuery("get", "/api/v1/approvals", { params: { query } });
  return data?.totalItems ?? 0;
}
