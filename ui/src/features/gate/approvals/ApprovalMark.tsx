import type { Schemas } from "@/api/client";
import { StateMark, Verdict } from "@/components/StateMark";

import { STATUSES } from "./words";

/** What was decided about a call, and what came of it. */
export function ApprovalMark({ status }: Pick<Schemas["ApprovalOut"], "status">) {
  const { verdict, outcome } = STATUSES[status];
  return (
    <>
      {verdict && <Verdict verdict={verdict.shade}>{verdict.words}</Verdict>}
      {outcome && <StateMark state={outcome.state}>{outcome.words}</StateMark>}
    </>
  );
}
