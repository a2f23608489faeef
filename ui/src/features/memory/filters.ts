import type { Mode, Reach } from "./words";

/** What the list shows; empty text is everything. */
export interface Filters {
  query: string;
  mode: Mode;
  reach: Reach | "";
  tag: string;
}

export const EVERYTHING: Filters = { query: "", mode: "both", reach: "", tag: "" };

/** The filters as the server takes them; what is empty is left out. */
export const asQuery = ({ query, mode, reach, tag }: Filters) => ({
  query: query.trim() || undefined,
  mode: query.trim() ? mode : undefined,
  reach: reach || undefined,
  tag: tag.trim() ? [tag.trim()] : undefined,
});

export const isFiltered = ({ query, reach, tag }: Filters) =>
  Boolean(query.trim() || reach || tag.trim());
