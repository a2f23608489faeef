import { focusHeading } from "@/keyboard/focus";

/** A row goes away, and what was pressed in it too: the keyboard goes on from the row beside it, or from the top. */
export function leaveRow(pressed: Element | null = document.activeElement) {
  const row = pressed?.closest("[data-row]");
  const next = row?.nextElementSibling ?? row?.previousElementSibling;
  if (next instanceof HTMLElement) next.focus({ preventScroll: true });
  else if (row || pressed === document.body) focusHeading();
}
