import { draftsOf } from "@/drafts/drafts";

import { type Content, type Draft, isSame } from "./content";

export const { keep, kept, useKept } = draftsOf<Draft>("prompt", {
  isWorthKeeping: (draft) => !isSame(draft, draft.base.content),
  warns: true,
});

/** Changes what is there now, which may be newer than what was last shown. */
export function edit(key: string, otherwise: Draft, change: (content: Draft) => Partial<Content>) {
  const now = kept(key) ?? otherwise;
  keep(key, { ...now, ...change(now) });
}
