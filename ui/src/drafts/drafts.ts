import { useSyncExternalStore } from "react";

import { useMe } from "@/features/identity/useMe";

interface Kept {
  draft: unknown;
  warns: boolean;
}

/** All that was typed and not saved or sent. It outlives the page, but not the tab. */
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
}

/** The drafts of one kind of thing, each under a key (`useDraftKey`). */
export function draftsOf<T>(kind: string, { isWorthKeeping, warns }: Options<T>) {
  const placeOf = (key: string) => `${kind}/${key}`;
  const get = (key: string) => kept.get(placeOf(key))?.draft as T | undefined;
  return {
    kept: get,
    keep: (key: string, draft: T | null) => {
      if (draft !== null && isWorthKeeping(draft)) kept.set(placeOf(key), { draft, warns });
      else kept.delete(placeOf(key));
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
