import type { Schemas } from "@/api/client";
import { StateMark, Tag } from "@/components/StateMark";

import { STATUSES } from "./words";

/** How an action ended, and whether it was taken back. */
export function ActionMark({ action }: { action: Schemas["ActionOut"] }) {
  const { state, words } = STATUSES[action.status];
  return (
    <>
      <StateMark state={state}>{words}</StateMark>
      {action.undoneBy && <Tag>undone</Tag>}
      {action.undoes && <Tag>took something back</Tag>}
    </>
  );
}
