import type { QueryClient } from "@tanstack/react-query";

import type { paths } from "@/api/schema";

const PAUSE = 200;

/** Reads stale things again, each once for a burst of events. */
export function refreshing(client: QueryClient) {
  const stale = new Set<keyof paths>();
  let timer: number | undefined;
  const flush = () => {
    timer = undefined;
    for (const query of stale) void client.invalidateQueries({ queryKey: ["get", query] });
    stale.clear();
  };
  return {
    some: (queries: (keyof paths)[]) => {
      if (queries.length === 0) return;
      queries.forEach((query) => stale.add(query));
      timer ??= window.setTimeout(flush, PAUSE);
    },
    all: () => void client.invalidateQueries(),
    stop: () => window.clearTimeout(timer),
  };
}
