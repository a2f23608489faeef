import { draftsOf, useDraftKey } from "@/drafts/drafts";

import { edited, NOTHING, type Written } from "./pasted";

const drafts = draftsOf<Written>("message", {
  isWorthKeeping: ({ text }) => Boolean(text),
  warns: false,
});

/** What is typed and not sent. It is still there after a look at another page. */
export function useDraft(id: string) {
  const key = useDraftKey()(id);
  const written = drafts.useKept(key) ?? NOTHING;
  return {
    written,
    keep: (next: string, event: Event) => drafts.keep(key, edited(written, next, event)),
    /** What was sent goes; what was typed meanwhile stays. */
    drop: (sent: string) => drafts.keep(key, rest(drafts.kept(key) ?? NOTHING, sent)),
  };
}

export const rest = (now: Written, sent: string): Written =>
  now.text.startsWith(sent)
    ? edited(now, now.text.slice(sent.length).trimStart(), new Event("input"))
    : now;
