import { keepPreviousData, useQueries } from "@tanstack/react-query";
import { useMemo } from "react";

import { api } from "@/api/client";
import { byPage } from "@/api/queries";
import type { paths } from "@/api/schema";

import type { Sought } from "./useSought";
import type { Item } from "./words";

const SIZE = 100;

type Wanted = NonNullable<paths["/api/v1/cases"]["get"]["parameters"]["query"]>;

/** What the server is asked for. */
export const wantedOf = ({ workspace, director, state, q }: Sought): Wanted => ({
  workspaceId: workspace,
  directorId: director,
  state: state ? [state] : undefined,
  q,
});

/** The cases of a list, newest first, page by page. */
export function useCases(sought: Sought) {
  const query = api.useInfiniteQuery(
    "get",
    "/api/v1/cases",
    { params: { query: { ...wantedOf(sought), PageSize: SIZE } } },
    { ...byPage, placeholderData: keepPreviousData },
  );
  const { data } = query;
  // The same list for as long as nothing was read: thousands of rows are made of it.
  const cases = useMemo(() => data?.pages.flatMap((page) => page.items), [data]);
  const newest = data?.pages[0];
  return {
    cases,
    total: newest?.totalItems ?? 0,
    /** How many there are in each state, whichever of them are shown. */
    counts: newest?.states ?? {},
    error: query.error,
    refetch: query.refetch,
    isStale: query.isPlaceholderData,
    more: () => {
      if (query.hasNextPage && !query.isFetching) void query.fetchNextPage();
    },
  };
}

export type Cases = ReturnType<typeof useCases>;

export const oneCase = (id: string) =>
  api.queryOptions("get", "/api/v1/cases/{case_id}", { params: { path: { case_id: id } } });

export const itemsOf = (caseId: string) =>
  api.queryOptions("get", "/api/v1/cases/{case_id}/items", {
    params: { path: { case_id: caseId } },
  });

export const oneItem = (caseId: string, id: string) =>
  api.queryOptions("get", "/api/v1/cases/{case_id}/items/{item_id}", {
    params: { path: { case_id: caseId, item_id: id } },
  });

export const casesOfMail = (messageId: string) =>
  api.queryOptions("get", "/api/v1/cases", { params: { query: { messageId } } });

/** The items of some cases, as far as they are there. */
export function useItems(caseIds: string[]): Map<string, Item[] | undefined> {
  const found = useQueries({ queries: caseIds.map((id) => itemsOf(id)), combine: listed });
  const ids = caseIds.join(" ");
  return useMemo(() => new Map(ids.split(" ").map((id, at) => [id, found[at]])), [ids, found]);
}

const listed = (found: { data?: { items: Item[] } }[]) => found.map(({ data }) => data?.items);
