import { useSyncExternalStore } from "react";

import { useMe } from "@/features/identity/useMe";

import { type AgentValues, isSame } from "./values";

/** What was typed, and what it began from. */
export interface Draft {
  values: AgentValues;
  base: { revision: number; values: AgentValues };
}

/** What is not saved yet, by person and agent: it outlives the page, but not the tab. */
const drafts = new Map<string, Draft>();
const listeners = new Set<() => void>();

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

const warn = (event: BeforeUnloadEvent) => event.preventDefault();

/** Keeps a draft, as long as it differs from what it began from. */
export function keep(key: string, draft: Draft | null) {
  if (draft && !isSame(draft.values, draft.base.values)) drafts.set(key, draft);
  else drafts.delete(key);
  if (drafts.size > 0) window.addEventListener("beforeunload", warn);
  else window.removeEventListener("beforeunload", warn);
  listeners.forEach((listener) => listener());
}

export const kept = (key: string) => drafts.get(key);

export const useKept = (key: string) => useSyncExternalStore(subscribe, () => drafts.get(key));

/** Changes what is there now, which may be newer than what was last shown. */
export function edit(
  key: string,
  otherwise: Draft,
  change: (values: AgentValues) => Partial<AgentValues>,
) {
  const now = drafts.get(key) ?? otherwise;
  keep(key, { ...now, values: { ...now.values, ...change(now.values) } });
}

/** Under which name a draft is kept: on a shared machine the next person has others. */
export function useDraftKey(id: string): string {
  const { id: me } = useMe();
  return `${me}/${id}`;
}
