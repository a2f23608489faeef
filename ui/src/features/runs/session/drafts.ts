import { draftsOf, useDraftKey } from "@/drafts/drafts";

const drafts = draftsOf<string>("message", { isWorthKeeping: Boolean, warns: false });

/** What is typed and not sent. It is still there after a look at another page. */
export function useDraft(id: string) {
  const key = useDraftKey()(id);
  const text = drafts.useKept(key) ?? "";
  return {
    text,
    keep: (next: string) => drafts.keep(key, next),
    /** What was sent goes; what was typed meanwhile stays. */
    drop: (sent: string) => drafts.keep(key, rest(drafts.kept(key) ?? "", sent)),
  };
}

export const rest = (now: string, sent: string) =>
  now.startsWith(sent) ? now.slice(sent.length).trimStart() : now;
