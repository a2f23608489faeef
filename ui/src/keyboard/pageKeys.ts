import { useEffect } from "react";

type Keys = Record<string, () => void>;

const bound = new Set<Keys>();

/** Keys that a page has for itself; the ones of every page go first. Give it the same object each time. */
export function usePageKeys(keys: Keys) {
  useEffect(() => {
    bound.add(keys);
    return () => void bound.delete(keys);
  }, [keys]);
}

/** What a key does on this page. */
export const pageKey = (key: string) => [...bound].find((keys) => key in keys)?.[key];
