import { StateMark, Verdict } from "@/components/StateMark";

import type { Session } from "./useSession";
import { standing } from "./words";

/** How the session stands, in a mark and a few words. */
export function Standing({ session }: { session: Session }) {
  const { asks, state, words } = standing(session);
  return asks ? (
    <Verdict verdict="asks">{words}</Verdict>
  ) : (
    <StateMark state={state}>{words}</StateMark>
  );
}
