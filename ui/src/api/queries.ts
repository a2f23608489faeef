import { MutationCache, QueryClient } from "@tanstack/react-query";

import { notify } from "@/components/notify";

import { api, type Schemas } from "./client";
import { detailOf, statusOf } from "./problem";

declare module "@tanstack/react-query" {
  interface Register {
    mutationMeta: {
      /** The form shows its own errors. */
      inForm?: boolean;
    };
  }
}

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      retry: (failures, error) => failures < 1 && statusOf(error) === undefined,
    },
  },
  mutationCache: new MutationCache({
    onError: (error, _variables, _result, mutation) => {
      if (!mutation.meta?.inForm) notify.failed(detailOf(error));
    },
  }),
});

export const whoAmI = () =>
  api.queryOptions("get", "/api/v1/auth/whoami", {}, { staleTime: 60_000, retry: false });

export const loginOptions = () => api.queryOptions("get", "/api/v1/auth/options");

interface PageOf<T> {
  items: T[];
  totalItems: number;
  continuationToken: string | null;
}

/** Options for a list that is read page by page. */
export const byPage = {
  // Not undefined: the query library would put a zero in its place.
  initialPageParam: null,
  pageParamName: "ContinuationToken",
  getNextPageParam: (last: PageOf<unknown>) => last.continuationToken ?? undefined,
};

/** For what also changes without an event, such as the time something was last used. */
export const silent = { refetchInterval: 20_000 };

export type User = Schemas["UserOut"];
