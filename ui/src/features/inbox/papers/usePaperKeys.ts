import { useMemo, useRef } from "react";

import { usePageKeys } from "@/keyboard/pageKeys";

type Keys = Record<"a" | "d" | "f" | "x" | "X" | "Escape", () => void>;

/** Keys of the inbox; what they do may change, the table may not. */
export function usePaperKeys(keys: Keys) {
  const latest = useRef(keys);
  latest.current = keys;
  const bound = useMemo(
    () => ({
      a: () => pressedIn("a") || latest.current.a(),
      d: () => pressedIn("d") || latest.current.d(),
      f: () => latest.current.f(),
      x: () => latest.current.x(),
      X: () => latest.current.X(),
      Escape: () => latest.current.Escape(),
    }),
    [],
  );
  usePageKeys(bound);
}

/** A question in the conversation has the same two keys; they are its own while it has the focus. */
function pressedIn(answer: "a" | "d"): boolean {
  const card = document.activeElement?.closest("[data-approval]");
  card?.querySelector<HTMLButtonElement>(`[data-answer='${answer}']:not([disabled])`)?.click();
  return Boolean(card);
}

/** The paper whose row has the focus. */
export const focusedPaper = (): string | undefined =>
  document.activeElement?.closest<HTMLElement>("[data-paper]")?.dataset.paper;

/** Once the cards have moved up. */
export function focusPaperSoon(id: string | undefined) {
  const row = () => document.querySelector<HTMLElement>(`[data-paper="${CSS.escape(id ?? "")}"]`);
  if (id) window.setTimeout(() => row()?.focus({ preventScroll: true }));
}
