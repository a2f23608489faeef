import { draftsOf, useDraftKey } from "@/drafts/drafts";

import { edited, NOTHING, type Written } from "./pasted";

const drafts = draftsOf<Written>("message", {
  isWorthKeeping: ({ text }) => Boolean(text),
  warns: false,
  survives: true,
});

const PASTED = { inputType: "insertFromPaste" } as unknown as Event;

/** What is typed and not sent. It is still there after a look at another page, and after a reload. */
export function useDraft(id: string) {
  const key = useDraftKey()(id);
  const written = drafts.useKept(key) ?? NOTHING;
  return {
    written,
    keep: (next: string, event: Event) => drafts.keep(key, edited(written, next, event)),
    /** Puts in what someone else may have written, before what is there. */
    insert: (text: string) => drafts.keep(key, edited(written, text + written.text, PASTED)),
    /** Takes everything away. */
    clear: () => drafts.keep(key, null),
    /** What was sent goes; what was typed meanwhile stays. */
    drop: (sent: string) => drafts.keep(key, rest(drafts.kept(key) ?? NOTHING, sent)),
  };
}

export const rest = (now: Written, sent: string): Written =>
  now.text.startsWith(sent)
    ? edited(now, now.text.slice(sent.length).trimStart(), new Event("input"))
    : now;
