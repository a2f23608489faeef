import type { paths } from "@/api/schema";

import type { Browsed } from "../browser/browsed";

type Asked = NonNullable<paths["/api/v1/search"]["get"]["parameters"]["query"]>;

/** What can be asked for beside words. */
export type Filters = Pick<Browsed, "within" | "type" | "tag" | "untagged" | "after" | "before">;

export const NO_FILTERS: Filters = {
  within: undefined,
  type: undefined,
  tag: undefined,
  untagged: undefined,
  after: undefined,
  before: undefined,
};

/** Kinds of files as people call them, by what the search knows them as. */
export const TYPES: [type: string, words: string][] = [
  ["pdf", "PDF"],
  ["md", "Markdown"],
  ["text/", "Any text"],
  ["docx", "Word"],
  ["xlsx", "Excel"],
  ["odt", "OpenDocument"],
  ["image/", "Picture"],
  ["eml", "E-mail"],
  ["audio/", "Sound"],
  ["video/", "Video"],
  ["zip", "Archive"],
];

export const isFiltered = (browsed: Browsed) =>
  (Object.keys(NO_FILTERS) as (keyof Filters)[]).some((name) => browsed[name] !== undefined);

/** Whether files are looked for, rather than a folder looked at. */
export const isSearching = (browsed: Browsed) => Boolean(browsed.q) || isFiltered(browsed);

/** The question, as the server understands it. */
export function askedOf(workspaceId: string, browsed: Browsed, limit: number): Asked {
  const { q, within, type, tag, untagged, after, before } = browsed;
  return {
    workspaceId,
    q: q ?? "",
    limit,
    ...(within && { folder: within }),
    ...(type && { type }),
    ...(untagged ? { untagged: true } : tag && { tag }),
    ...(after && { after: midnight(after, 0) }),
    // The day that is named is a part of it.
    ...(before && { before: midnight(before, 1) }),
  };
}

/** The beginning of a day as the clock here has it, some days on. */
function midnight(day: string, later: number): string | undefined {
  const at = new Date(`${day}T00:00:00`);
  if (Number.isNaN(at.getTime())) return undefined;
  at.setDate(at.getDate() + later);
  return at.toISOString();
}
