import type { Schemas } from "@/api/client";
import type { State } from "@/components/StateMark";
import { visibleParts } from "@/features/gate/shared/visible";

export type Run = Schemas["RunOut"];
export type Status = Run["status"];
export type Kind = Run["kind"];

export const STATUSES: Record<Status, { state: State; words: string }> = {
  pending: { state: "waiting", words: "in the queue" },
  running: { state: "retrying", words: "working" },
  waiting: { state: "waiting", words: "waiting" },
  completed: { state: "ok", words: "done" },
  failed: { state: "failed", words: "failed" },
  cancelled: { state: "off", words: "ended by someone" },
  expired: { state: "warning", words: "ran out of time" },
};

export const isLive = ({ status }: Pick<Run, "status">) =>
  status === "pending" || status === "running" || status === "waiting";

/** Nothing was asked yet: an open session without a word. */
export const isSilent = ({ status, startedAt, title }: Run) =>
  status === "pending" && !startedAt && !title;

/** What was asked, for places that show no more than a line of text. */
export const titleOf = (run: Run) =>
  visibleParts(run.title || "Nothing asked yet")
    .map((part) => (typeof part === "string" ? part : `[${part.code}]`))
    .join("")
    .slice(0, 120);

export const KINDS: Record<Kind, string> = {
  session: "conversation",
  task: "task",
  schedule: "schedule",
  case: "case of a mail",
  inbox: "paper in the inbox",
  delegate: "asked by another agent",
  retry: "another try",
  replay: "replay",
  trial: "trial without effects",
};

const ANY = { value: "", label: "In any state" };
const LIVE = { value: "live", label: "Not over yet" };

export const STATUS_FILTERS = [
  ANY,
  LIVE,
  ...Object.entries(STATUSES).map(([value, { words }]) => ({ value, label: capital(words) })),
];

export const KIND_FILTERS = [
  { value: "", label: "Of any kind" },
  ...Object.entries(KINDS).map(([value, words]) => ({ value, label: capital(words) })),
];

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What the address says, as the server is asked; what it does not know is left out. */
export const asStatus = (text: string | undefined): { live?: true; status?: Status[] } => {
  if (text === LIVE.value) return { live: true };
  return text && text in STATUSES ? { status: [text as Status] } : {};
};

export const asKind = (text: string | undefined): Kind | undefined =>
  text && text in KINDS ? (text as Kind) : undefined;
