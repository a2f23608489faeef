import { StateMark } from "@/components/StateMark";

import { isSilent, type Run, STATUSES } from "./words";

/** How a run stands: a shape and a word. */
export function RunMark({ run, words }: { run: Run; words?: string }) {
  const { state, words: usual } = STATUSES[run.status];
  return <StateMark state={state}>{words ?? (isSilent(run) ? "not begun" : usual)}</StateMark>;
}
