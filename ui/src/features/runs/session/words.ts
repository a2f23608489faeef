import type { State } from "@/components/StateMark";

import type { Call, Message, Run, Session } from "./useSession";

type Status = Run["status"];

const LIVE: Status[] = ["pending", "running", "waiting"];

export const isLive = ({ status }: Pick<Run, "status">) => LIVE.includes(status);

/** How a run stands, in a word, for lists. */
export const STATUSES: Record<Status, { state: State; words: string }> = {
  pending: { state: "waiting", words: "queued" },
  running: { state: "retrying", words: "working" },
  waiting: { state: "waiting", words: "waiting" },
  completed: { state: "ok", words: "done" },
  failed: { state: "failed", words: "failed" },
  cancelled: { state: "off", words: "stopped" },
  expired: { state: "failed", words: "ran out of time" },
};

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
  if (asked.length > 0) return { asks: true, state: "waiting", words: "Waiting for another person" };
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

/** "12 ms", "3.4 s", "2 min". */
export function duration(milliseconds: number): string {
  if (milliseconds < 1000) return `${milliseconds} ms`;
  if (milliseconds < 90_000) return `${(milliseconds / 1000).toFixed(1)} s`;
  return `${Math.round(milliseconds / 60_000)} min`;
}

interface Fate {
  verdict?: { shade: "allowed" | "asks" | "blocked"; words: string };
  outcome?: { state: State; words: string };
}

const OUTCOMES: Partial<Record<Call["status"], Fate["outcome"]>> = {
  wanted: { state: "waiting", words: "next" },
  failed: { state: "failed", words: "it did not work" },
  unknown: { state: "warning", words: "nobody knows whether it happened" },
  skipped: { state: "off", words: "not done" },
};

/** What was decided about a call, and what came of it. */
export function fateOf({ verdict, status, approvalId }: Call): Fate {
  return { verdict: verdictOf(verdict, status, approvalId !== null), outcome: OUTCOMES[status] };
}

function verdictOf(verdict: Call["verdict"], status: Call["status"], asked: boolean): Fate["verdict"] {
  if (verdict === "allowed") return { shade: "allowed", words: "allowed" };
  if (verdict === "blocked") return { shade: "blocked", words: "blocked" };
  if (verdict !== "asked") return undefined;
  if (status === "waiting") return { shade: "asks", words: asked ? "asks a person" : "asks" };
  if (status === "denied") return { shade: "blocked", words: "a person said no, or nobody answered" };
  return status === "skipped" ? undefined : { shade: "allowed", words: "a person said yes" };
}

const OBJECTS = ["path", "file_path", "to", "folder", "destination", "title", "name", "query"];

/** The arguments of a call as names and values; null where the model wrote something else. */
export function argumentsOf(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** What a call is about, in a few words of its own: a path, a title. */
export function objectOf(text: string): string | null {
  const values = argumentsOf(text) ?? {};
  const texts = Object.entries(values).filter(([, value]) => typeof value === "string" && value);
  const named = OBJECTS.map((name) => texts.find(([key]) => key === name)).find(Boolean);
  const [, value] = named ?? texts.find(([name]) => !/(^|_)id$/.test(name)) ?? [];
  return typeof value === "string" ? value : null;
}
