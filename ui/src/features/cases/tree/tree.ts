import type { Case, Item } from "../words";

/** What is chosen, and what is unfolded: a mail, a case or an item, by its id. */
export type Choice = `mail ${string}` | `case ${string}` | `item ${string}`;

export type Row =
  | { kind: "mail"; key: Choice; cases: [Case, ...Case[]]; opened: boolean; at: number; of: number }
  | { kind: "case"; key: Choice; one: Case; opened: boolean; at: number; of: number }
  | { kind: "item"; key: Choice; item: Item; at: number; of: number }
  | { kind: "note"; key: string; text: string };

export const HEIGHTS: Record<Row["kind"], number> = { mail: 62, case: 36, item: 32, note: 32 };

/** Cases with the mail that they are about, in the order of each mail's newest. */
export function byMail(cases: Case[]): [Case, ...Case[]][] {
  const found = new Map<string, [Case, ...Case[]]>();
  for (const one of cases) {
    const group = found.get(one.mail.id);
    if (group) group.push(one);
    else found.set(one.mail.id, [one]);
  }
  return [...found.values()];
}

interface Given {
  cases: Case[];
  opened: ReadonlySet<Choice>;
  /** The items of the cases that are unfolded, as far as they are there. */
  items: ReadonlyMap<string, Item[] | undefined>;
}

/** The rows of the tree from top to bottom: of what is folded, the top alone. */
export function rowsOf({ cases, opened, items }: Given): Row[] {
  const mails = byMail(cases);
  return mails.flatMap((group, index) => {
    const key: Choice = `mail ${group[0].mail.id}`;
    const isOpen = opened.has(key);
    const top: Row = {
      kind: "mail",
      key,
      cases: group,
      opened: isOpen,
      at: index + 1,
      of: mails.length,
    };
    return isOpen ? [top, ...group.flatMap((one, at) => ofCase(one, at, group.length))] : [top];
  });

  function ofCase(one: Case, index: number, of: number): Row[] {
    const key: Choice = `case ${one.id}`;
    const isOpen = opened.has(key);
    const row: Row = { kind: "case", key, one, opened: isOpen, at: index + 1, of };
    return isOpen ? [row, ...ofItems(one)] : [row];
  }

  function ofItems(one: Case): Row[] {
    const known = items.get(one.id);
    if (!known?.length) {
      const text = known ? "No items" : "Loading…";
      return [{ kind: "note", key: `note ${one.id}`, text }];
    }
    return known.map((item, at) => ({
      kind: "item",
      key: `item ${item.id}`,
      item,
      at: at + 1,
      of: known.length,
    }));
  }
}

/** Where each row begins; and, last, where all of them end. */
export function topsOf(rows: Row[]): number[] {
  const tops = [0];
  let top = 0;
  for (const { kind } of rows) tops.push((top += HEIGHTS[kind]));
  return tops;
}

/** The last row that begins at or before a height. */
export function rowAt(tops: number[], height: number): number {
  let low = 0;
  let high = Math.max(0, tops.length - 2);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((tops[middle] ?? 0) <= height) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The cases that a row stands for. */
export function casesOf(row: Row | undefined): Case[] {
  if (row?.kind === "mail") return row.cases;
  return row?.kind === "case" ? [row.one] : [];
}
