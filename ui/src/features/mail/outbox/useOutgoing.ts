import { api } from "@/api/client";

import { OUTBOX, type Status } from "./words";

/** Between two events a message passes from held to sending, which no event tells of. */
const WATCHED = 3_000;

/** Mail on its way out that stands so; none of it is many. */
export function useOutgoing(status: Status) {
  const query = { status, PageSize: 100 };
  const passes = status === "held" || status === "sending";
  return api.useQuery(
    "get",
    OUTBOX,
    { params: { query } },
    {
      refetchInterval: ({ state }) =>
        passes && state.data && state.data.items.length > 0 ? WATCHED : false,
    },
  );
}

/** How many messages a person has to decide about: nobody knows whether they went out, or they did not. */
export function useUndecided(): number {
  return useCount("unknown") + useCount("failed");
}

function useCount(status: Status): number {
  const query = { status, PageSize: 1 };
  const { data } = api.useQuery("get", OUTBOX, { params: { query } });
  return data?.totalItems ?? 0;
}
