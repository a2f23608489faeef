import { StateMark } from "@/components/StateMark";

import { STATUSES } from "./words";

/** What became of a call. */
export function StatusMark({ status }: { status: string | null }) {
  const { state, words } = STATUSES[status ?? ""] ?? { state: "warning", words: status ?? "?" };
  return <StateMark state={state}>{words}</StateMark>;
}
