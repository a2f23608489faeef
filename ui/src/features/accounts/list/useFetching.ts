import { api } from "@/api/client";

import { STATUS } from "../words";

const WATCHED = 2_000;
const QUIET = 20_000;

/** How fetching goes: looked at often while some is under way, which no event tells of. */
export function useFetching() {
  return api.useQuery(
    "get",
    STATUS,
    {},
    {
      refetchInterval: ({ state }) =>
        state.data?.accounts.some((one) => one.state === "fetching") ? WATCHED : QUIET,
    },
  );
}
