import { useMemo, useRef } from "react";

import { usePageKeys } from "@/keyboard/pageKeys";

/** Keys of the mail page; what they do may change, the table may not. */
export function useReaderKeys(keys: Record<"e" | "r" | "R" | "u" | "c" | "Escape", () => void>) {
  const latest = useRef(keys);
  latest.current = keys;
  const bound = useMemo(
    () => ({
      e: () => latest.current.e(),
      r: () => latest.current.r(),
      R: () => latest.current.R(),
      u: () => latest.current.u(),
      c: () => latest.current.c(),
      Escape: () => latest.current.Escape(),
    }),
    [],
  );
  usePageKeys(bound);
}

/** The mail whose row has the focus. */
export function focusedMail(): string | undefined {
  return document.activeElement?.closest<HTMLElement>("[data-mail]")?.dataset.mail;
}
