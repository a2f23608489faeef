import { api } from "@/api/client";
import { useRefresh } from "@/live/useRefresh";

import { type Account } from "../words";

/** Signs in at the provider once, when asked to. */
export function useProbe({ id }: Account) {
  const refresh = useRefresh();
  const query = api.useQuery(
    "get",
    "/api/v1/accounts/{account_id}/test",
    { params: { path: { account_id: id } } },
    { enabled: false, gcTime: 0, retry: false },
  );
  const run = async () => {
    await query.refetch();
    await refresh("account");
  };
  return { run, isRunning: query.isFetching, result: query.data, error: query.error };
}

export type Probe = ReturnType<typeof useProbe>;
