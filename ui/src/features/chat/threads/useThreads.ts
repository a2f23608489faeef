import { keepPreviousData } from "@tanstack/react-query";

import { api } from "@/api/client";
import { byPage } from "@/api/queries";

export interface Wanted {
  q: string;
  tag?: string;
  status: "active" | "archived" | "trashed";
}

const SIZE = 50;
const PATH = "/api/v1/threads";

/** The conversations that fit: what is pinned, and the rest, the liveliest first. */
export function useThreads({ q, tag, status }: Wanted) {
  const wanted = { q: q || undefined, tag, status };
  const pinned = api.useQuery(
    "get",
    PATH,
    { params: { query: { ...wanted, pinned: true } } },
    { placeholderData: keepPreviousData },
  );
  const others = api.useInfiniteQuery(
    "get",
    PATH,
    { params: { query: { ...wanted, pinned: false, PageSize: SIZE } } },
    { ...byPage, placeholderData: keepPreviousData },
  );
  const rest = others.data?.pages.flatMap((page) => page.items);
  return {
    pinned: pinned.data?.items ?? [],
    rest,
    error: others.error ?? pinned.error,
    refetch: others.refetch,
    hasMore: others.hasNextPage,
    more: () => void others.fetchNextPage(),
    isMore: others.isFetchingNextPage,
  };
}
