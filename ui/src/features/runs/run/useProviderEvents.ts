import { useEffect } from "react";

import { api } from "@/api/client";
import { byPage } from "@/api/queries";

const SIZE = 100;
const MOST_PAGES = 20;

/** All that went to models and came back in a run, newest first: the timeline needs every step. */
export function useProviderEvents(runId: string) {
  const events = api.useInfiniteQuery(
    "get",
    "/api/v1/runs/{run_id}/events",
    { params: { path: { run_id: runId }, query: { PageSize: SIZE } } },
    byPage,
  );
  const { data, hasNextPage, isFetching, fetchNextPage } = events;
  const count = data?.pages.length ?? 0;
  useEffect(() => {
    if (hasNextPage && !isFetching && count < MOST_PAGES) void fetchNextPage();
  }, [hasNextPage, isFetching, count, fetchNextPage]);
  return { events: data?.pages.flatMap((page) => page.items) ?? [], error: events.error };
}
