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
  return [text, keep] as const;
}
