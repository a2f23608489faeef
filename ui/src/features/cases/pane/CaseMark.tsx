import { StateMark } from "@/components/StateMark";

import { type CaseState, STATES } from "../words";

/** How a case stands: a shape and a word. */
export function CaseMark({ state }: { state: CaseState }) {
  const { state: shape, words } = STATES[state];
  return <StateMark state={shape}>{words}</StateMark>;
}
