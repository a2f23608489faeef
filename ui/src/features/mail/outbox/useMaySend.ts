import { api } from "@/api/client";

/** Whether one may send with an account: it is one's own, or shared for that. */
export function useMaySend(): (accountId: string) => boolean {
  const { data } = api.useQuery("get", "/api/v1/accounts");
  return (accountId) =>
    data?.items.some(({ id, right }) => id === accountId && right !== "read") ?? false;
}
