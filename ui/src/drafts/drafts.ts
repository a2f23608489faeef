import { useSyncExternalStore } from "react";

import { useMe } from "@/features/identity/useMe";

interface Kept {
  draft: unknown;
  warns: boolean;
}

/** All that was typed and not saved or sent. It outlives the page, but not the tab; what `survives`, a reload too. */
const kept = new Map<string, Kept>();
const listeners = new Set<() => void>();

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

const warn = (event: BeforeUnloadEvent) => event.preventDefault();

interface Options<T> {
  /** What is not worth keeping is dropped: nothing typed, or the same as before. */
  isWorthKeeping: (draft: T) => boolean;
  /** Whether the browser asks before it leaves the page. */
  warns: boolean;
  /** Whether it is there again after a reload. Then it is no more than JSON. */
  survives?: boolean;
}

const STORED = "bailiwick-draft:";

/** Forget what would survive a reload: whoever uses this browser next may be somebody else. */
export function forgetStoredDrafts() {
  for (const name of Object.keys(sessionStorage))
    if (name.startsWith(STORED)) sessionStorage.removeItem(name);
}

function store(place: string, draft: unknown) {
  try {
    if (draft === undefined) sessionStorage.removeItem(STORED + place);
    else sessionStorage.setItem(STORED + place, JSON.stringify(draft));
  } catch {
    // There is no room for it: it is still kept as long as the page is.
    sessionStorage.removeItem(STORED + place);
  }
}

function stored(place: string): unknown {
  const text = sessionStorage.getItem(STORED + place);
  try {
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The drafts of one kind of thing, each under a key (`useDraftKey`). */
export function draftsOf<T>(kind: string, { isWorthKeeping, warns, survives }: Options<T>) {
  const placeOf = (key: string) => `${kind}/${key}`;
  const get = (key: string) => {
    const place = placeOf(key);
    const before = survives && !kept.has(place) ? stored(place) : undefined;
    if (before !== undefined) kept.set(place, { draft: before, warns });
    return kept.get(place)?.draft as T | undefined;
  };
  return {
    kept: get,
    keep: (key: string, draft: T | null) => {
      const isKept = draft !== null && isWorthKeeping(draft);
      if (isKept) kept.set(placeOf(key), { draft, warns });
      else kept.delete(placeOf(key));
      if (survives) store(placeOf(key), isKept ? draft : undefined);
      if ([...kept.values()].some((one) => one.warns))
        window.addEventListener("beforeunload", warn);
      else window.removeEventListener("beforeunload", warn);
      listeners.forEach((listener) => listener());
    },
    useKept: (key: string) => useSyncExternalStore(subscribe, () => get(key)),
  };
}

/** Under which key a draft is kept: on a shared machine the next person has others. */
export function useDraftKey() {
  const { id: me } = useMe();
  return (id: string) => `${me}/${id}`;
}
