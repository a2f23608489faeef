import type { State } from "@/components/StateMark";

import { isLive } from "@/features/runs/list/words";
import type { Message, Session } from "./useSession";

interface Standing {
  /** A person is asked: that is the gate's amber. */
  asks?: boolean;
  state: State;
  words: string;
}

/** How a session stands, as one would say it. */
export function standing(session: Session): Standing {
  const { status, messages } = session;
  if (status === "waiting") return waitingFor(session);
  if (status === "running") return { state: "retrying", words: `Working · ${stepOf(session)}` };
  if (status === "pending") {
    const words = messages.length > 0 ? "Working · about to begin" : "Nothing was said yet";
    return { state: "waiting", words };
  }
  return ENDS[status];
}

const ENDS: Record<"completed" | "failed" | "cancelled" | "expired", Standing> = {
  completed: { state: "ok", words: "Done" },
  failed: { state: "failed", words: "It did not get through" },
  cancelled: { state: "off", words: "Stopped" },
  expired: { state: "failed", words: "It ran out of time" },
};

function waitingFor({ pendingActions, children }: Session): Standing {
  const asked = pendingActions.filter(({ approval }) => approval.status === "pending");
  if (asked.some(({ approval }) => approval.canAnswer)) {
    return { asks: true, state: "waiting", words: "Waiting for you" };
  }
  if (asked.length > 0) {
    return { asks: true, state: "waiting", words: "Waiting for another person" };
  }
  const child = children.find(isLive);
  if (child) return { state: "waiting", words: `Waiting for ${child.agentName}` };
  return { state: "retrying", words: "Working · doing what was allowed" };
}

/** "step 3 of 20": since the person spoke last, because the limit counts from there. */
function stepOf({ steps, stepLimit, messages }: Session): string {
  const before = messages.findLast(isSaid)?.step ?? 0;
  const step = steps - before + 1;
  return step <= stepLimit ? `step ${step} of ${stepLimit}` : `step ${step}`;
}

/** Words that a person gave. */
export const isSaid = ({ role, kind }: Message) => role === "user" && kind === "message";

const many = new Intl.NumberFormat("en");

export const count = (figure: number, one: string, more = `${one}s`) =>
  `${many.format(figure)} ${figure === 1 ? one : more}`;

/** Dollars as one reads them: what is less than a cent is not nothing. */
export function money(dollars: number): string {
  if (dollars > 0 && dollars < 0.01) return "less than $0.01";
  return `$${dollars.toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
}
