import { draftsOf } from "@/drafts/drafts";

import type { LineEnds } from "./lines";

/** A text as it was typed, and what it is meant to replace. */
export interface WrittenText {
  text: string;
  /** The etag of what was there when it was begun. */
  over: string;
  ends: LineEnds;
}

/** What is written of files and not saved. */
export const drafts = draftsOf<WrittenText>("file", {
  isWorthKeeping: () => true,
  warns: true,
  survives: true,
});
