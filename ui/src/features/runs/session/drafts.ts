import { useState } from "react";

const drafts = new Map<string, string>();

/** What is typed and not sent. It is still there after a look at another page. */
export function useDraft(id: string) {
  const [text, setText] = useState(() => drafts.get(id) ?? "");
  const keep = (next: string) => {
    if (next) drafts.set(id, next);
    else drafts.delete(id);
    setText(next);
  };
  /** What was sent goes; what was typed meanwhile stays. */
  const drop = (sent: string) => {
    const now = drafts.get(id) ?? "";
    keep(now.startsWith(sent) ? now.slice(sent.length).trimStart() : now);
  };
  return { text, keep, drop };
}
