/** The papers that something is done with together, by their ids. */
export type Selection = ReadonlySet<string>;

export const NONE: Selection = new Set();

/** One more, or one less. */
export function toggled(selection: Selection, id: string): Selection {
  const next = new Set(selection);
  if (!next.delete(id)) next.add(id);
  return next;
}

/** All from one to another, as they stand in the list; what was selected stays so. */
export function upTo(selection: Selection, order: string[], from: string, to: string): Selection {
  const [one, other] = [order.indexOf(from), order.indexOf(to)];
  if (one < 0 || other < 0) return other < 0 ? selection : new Set([...selection, to]);
  return new Set([...selection, ...order.slice(Math.min(one, other), Math.max(one, other) + 1)]);
}

/** All of them; none, if all were. */
export const allOrNone = (selection: Selection, order: string[]): Selection =>
  order.every((id) => selection.has(id)) ? NONE : new Set(order);

/** Without what is no longer in the list: nobody answers what they cannot see. */
export function stillThere(selection: Selection, order: string[]): Selection {
  const there = order.filter((id) => selection.has(id));
  return there.length === selection.size ? selection : new Set(there);
}

/** Where a keyboard goes on once these are gone: at the next one below, or else the last one above. */
export function nextAfter(order: string[], gone: Selection): string | undefined {
  const last = order.findLastIndex((id) => gone.has(id));
  return (
    order.slice(last + 1).find((id) => !gone.has(id)) ??
    order.slice(0, Math.max(0, last)).findLast((id) => !gone.has(id))
  );
}
