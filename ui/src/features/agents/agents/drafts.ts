import { draftsOf } from "@/drafts/drafts";

import { type AgentValues, isSame } from "./values";

/** What was typed, and what it began from. */
export interface Draft {
  values: AgentValues;
  base: { revision: number; values: AgentValues };
}

export const { keep, kept, useKept } = draftsOf<Draft>("agent", {
  isWorthKeeping: ({ values, base }) => !isSame(values, base.values),
  warns: true,
});

/** Changes what is there now, which may be newer than what was last shown. */
export function edit(
  key: string,
  otherwise: Draft,
  change: (values: AgentValues) => Partial<AgentValues>,
) {
  const now = kept(key) ?? otherwise;
  keep(key, { ...now, values: { ...now.values, ...change(now.values) } });
}
