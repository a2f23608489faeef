import { useNavigate, useSearch } from "@tanstack/react-router";

import type { Choice } from "./tree/tree";
import type { CaseState } from "./words";

/** What the page shows: it is all in the address, so that it can be kept, sent and gone back to. */
export interface Sought {
  workspace?: string;
  director?: string;
  state?: CaseState;
  q?: string;
  mail?: string;
  case?: string;
  item?: string;
}

export const NOTHING = { mail: undefined, case: undefined, item: undefined };

/** What the address says is chosen. */
export function choiceOf({ mail, case: one, item }: Sought): Choice | undefined {
  if (item) return `item ${item}`;
  if (one) return `case ${one}`;
  return mail ? `mail ${mail}` : undefined;
}

/** The address that chooses it; an item is found through its case. */
export const toMail = (id: string) => ({ ...NOTHING, mail: id });
export const toCase = (id: string) => ({ ...NOTHING, case: id });
export const toItem = (caseId: string, id: string) => ({ ...NOTHING, case: caseId, item: id });

export function useSought() {
  const sought = useSearch({ from: "/shell/results" });
  const navigate = useNavigate();
  const go = (change: Sought & { dialog?: string }, how?: { replace?: boolean }) =>
    void navigate({
      to: "/results",
      search: (before) => ({ ...before, ...change }),
      replace: how?.replace,
      resetScroll: false,
    });
  return { sought, go };
}

export type Go = ReturnType<typeof useSought>["go"];
