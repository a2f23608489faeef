import type { Schemas } from "@/api/client";

import type { Message } from "../timeline";

type Compared = Schemas["ComparedRow"];

/** Rows that differ, and runs of rows that do not. */
export interface Group {
  key: string;
  same: boolean;
  rows: Compared[];
}

export function grouped(rows: Compared[]): Group[] {
  const groups: Group[] = [];
  rows.forEach((row, place) => {
    const last = groups.at(-1);
    if (row.same && last?.same) last.rows.push(row);
    else groups.push({ key: String(place), same: row.same, rows: [row] });
  });
  return groups;
}

/** A message as one text: what was said, and each call with what it was given. */
export function textOf({ content, toolCalls }: Message): string {
  const calls = (toolCalls ?? []).map((given) => {
    const { name, arguments: text } = (given.function ?? {}) as Record<string, unknown>;
    return `→ ${String(name)} ${String(text)}`;
  });
  return [content, ...calls].filter(Boolean).join("\n");
}
