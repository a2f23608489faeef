import { keepPreviousData } from "@tanstack/react-query";

import { api } from "@/api/client";
import { byPage } from "@/api/queries";
import type { paths } from "@/api/schema";

import type { Place, Sought } from "./usePlace";
import { useOpenKept } from "./useOpenKept";
import type { Hit, Line } from "./words";

type Wanted = paths["/api/v1/mail"]["get"]["parameters"]["query"];

const SIZE = 100;
const FOUND = 50;

export interface Mails {
  items: (Line | Hit)[] | undefined;
  total: number;
  /** There are more than were counted. */
  andMore: boolean;
  error: unknown;
  refetch: () => unknown;
  /** Shows what was asked for before this. */
  isStale: boolean;
  more: () => void;
}

/** The mails of a place: a folder's, or what a search finds. */
export function useMails({ workspaceId, search }: Place): Mails {
  const listed = useListed(workspaceId, search);
  const found = useFound(workspaceId, search);
  const query = search.q ? found : listed;
  const more = () => {
    if (query.hasNextPage && !query.isFetching) void query.fetchNextPage();
  };
  const read = listed.data?.pages.flatMap((page) => page.items);
  const items = useOpenKept(read, search);
  const { error, refetch, isPlaceholderData: isStale } = query;
  const shared = { error, refetch, isStale, more };
  if (search.q) {
    const last = found.data?.pages.at(-1);
    const hits = found.data?.pages.flatMap((page) => page.items);
    return { ...shared, items: hits, total: last?.totalItems ?? 0, andMore: last?.more ?? false };
  }
  const total = listed.data?.pages.at(-1)?.totalItems ?? 0;
  return { ...shared, items, total, andMore: false };
}

function useListed(workspaceId: string, { account, folder, role, unread, q }: Sought) {
  const kind = folder || role === "everything" ? undefined : (role ?? "inbox");
  const query: Wanted = {
    workspaceId,
    accountId: account,
    folderId: folder,
    // What has a flag has it wherever it is.
    role: kind === "flagged" ? undefined : kind,
    flagged: kind === "flagged" || undefined,
    unread,
    PageSize: SIZE,
  };
  return api.useInfiniteQuery(
    "get",
    "/api/v1/mail",
    { params: { query } },
    { ...byPage, enabled: workspaceId !== "" && !q, placeholderData: keepPreviousData },
  );
}

function useFound(workspaceId: string, { account, q = "", order }: Sought) {
  const query = {
    workspaceId,
    accountId: account,
    q,
    order: order ?? ("best" as const),
    PageSize: FOUND,
  };
  return api.useInfiniteQuery(
    "get",
    "/api/v1/mail/search",
    { params: { query } },
    {
      ...byPage,
      enabled: workspaceId !== "" && q !== "",
      retry: false,
      placeholderData: keepPreviousData,
    },
  );
}
