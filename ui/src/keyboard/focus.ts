const FIELDS =
  "input:not([type='checkbox'], [type='radio']), textarea, select, [contenteditable='true']";
const LAYERS = "[role='dialog'], [role='menu'], [role='listbox']";
const CONTROLS = "a[href], button:not([disabled]), select:not([disabled]), input:not([disabled])";

const shown = (selector: string) =>
  Array.from(document.querySelectorAll(selector)).some((layer) => layer.checkVisibility());

export const dialogIsOpen = () => shown("[role='dialog']");

/** Letters belong to the field one is typing in, and to the menu or dialog that is open. */
export function keysBelongElsewhere(target: EventTarget | null): boolean {
  if (shown(LAYERS)) return true;
  return target instanceof Element && target.closest(FIELDS) !== null;
}

/** The next row of the page's lists, or the one before; from the one that is open, if the focus is elsewhere. */
export function moveAlongRows(step: 1 | -1) {
  const rows = Array.from(document.querySelectorAll<HTMLElement>("main [data-row]"));
  const here =
    document.activeElement?.closest<HTMLElement>("[data-row]") ??
    rows.find((row) => "open" in row.dataset);
  const next = here ? rows[rows.indexOf(here) + step] : rows[0];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}

/** Follows the row's link; a row without one only shows what can be done with it. */
export function openRow(row: HTMLElement) {
  const link = row.querySelector<HTMLElement>("a[href]");
  if (link) link.click();
  else {
    // The row may say which of its buttons comes first; else it is the first that is there.
    const first = row.querySelector<HTMLElement>("[data-first]:not([disabled])");
    (first ?? row.querySelector<HTMLElement>(CONTROLS))?.focus();
  }
}

export function focusFilter() {
  document.querySelector<HTMLElement>("main [data-filter]")?.focus();
}

/** After a change of page: a keyboard goes on from its heading, and a screen reader reads it. */
export function focusHeading() {
  document.querySelector<HTMLElement>("main h1")?.focus({ preventScroll: true });
}
