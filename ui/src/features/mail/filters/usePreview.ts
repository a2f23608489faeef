import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData } from "@tanstack/react-query";

import { api } from "@/api/client";
import { detailOf, fieldErrorsOf } from "@/api/problem";

import type { Field } from "./filterForm";

interface Wanted {
  opened: boolean;
  workspaceId: string;
  field: Field;
  regex: string;
  accountId: string;
  /** The filter that is being changed. */
  id?: string;
}

const PAUSE = 300;

/** What a pattern matches of recent mail, while one types. */
export function usePreview({ opened, workspaceId, field, regex, accountId, id }: Wanted) {
  const [body] = useDebouncedValue(
    { workspaceId, field, regex, accountId: accountId || null, id: id ?? null },
    PAUSE,
  );
  const enabled = opened && body.regex !== "";
  const tried = api.useQuery(
    "post",
    "/api/v1/filters/preview",
    { body },
    { enabled, staleTime: 10_000, gcTime: 30_000, retry: false, placeholderData: keepPreviousData },
  );
  const faults = tried.error ? fieldErrorsOf(tried.error) : {};
  return {
    data: enabled && !tried.error ? tried.data : undefined,
    /** What is wrong with the pattern, with its place. */
    wrong: enabled && regex !== "" ? faults.regex : undefined,
    problem: enabled && tried.error && !faults.regex ? detailOf(tried.error) : null,
    isLooking: enabled && tried.isFetching,
    regex: body.regex,
  };
}

export type Previewed = ReturnType<typeof usePreview>;
