import type { QueryClient, QueryFilters } from "@tanstack/react-query";

import { isTight } from "@/api/allowance";
import type { paths } from "@/api/schema";

const PAUSE = 200;
const LONGER = 3000;

/** All that was read there; also by a question that is asked with POST. */
export const readings = (path: keyof paths): QueryFilters => ({
  predicate: ({ queryKey }) => queryKey[1] === path,
});

/** Reads stale things again, each once for a burst of events. */
export function refreshing(client: QueryClient) {
  const stale = new Set<keyof paths>();
  let timer: number | undefined;
  const again = (filters: QueryFilters) => {
    const first = client
      .getQueryCache()
      .findAll({ ...filters, fetchStatus: "fetching" })
      .filter(({ state }) => state.data === undefined);
    void client.invalidateQueries(filters);
    // A first reading is not broken off by that, and may bring what was true before.
    for (const { promise, queryKey } of first) {
      const once = () => void client.invalidateQueries({ queryKey, exact: true });
      promise?.then(once, () => {});
    }
  };
  const flush = () => {
    timer = undefined;
    for (const query of stale) again(readings(query));
    stale.clear();
  };
  return {
    some: (queries: (keyof paths)[]) => {
      if (queries.length === 0) return;
      queries.forEach((query) => stale.add(query));
      timer ??= window.setTimeout(flush, isTight() ? LONGER : PAUSE);
    },
    all: () => again({}),
    stop: () => window.clearTimeout(timer),
  };
}
