import type { Schemas } from "@/api/client";
import type { State } from "@/components/StateMark";

export type Outgoing = Schemas["OutgoingOut"];
export type Status = Outgoing["status"];

export const OUTBOX = "/api/v1/outbox";

export const MARKS: Record<Status, { state: State; words: string }> = {
  held: { state: "waiting", words: "held" },
  sending: { state: "retrying", words: "being sent" },
  sent: { state: "ok", words: "sent" },
  failed: { state: "failed", words: "not sent" },
  cancelled: { state: "off", words: "taken back" },
  unknown: { state: "warning", words: "nobody can tell" },
};

/** "to ada@example.org, bo@example.org and 3 more". */
export function recipients({ to, cc, bcc }: Pick<Outgoing, "to" | "cc" | "bcc">): string {
  const all = [...to, ...cc, ...bcc];
  const shown = all.slice(0, 2).join(", ");
  return all.length > 2 ? `to ${shown} and ${all.length - 2} more` : `to ${shown}`;
}

export const subjectOf = ({ subject }: Pick<Outgoing, "subject">) =>
  subject.trim() || "(no subject)";
