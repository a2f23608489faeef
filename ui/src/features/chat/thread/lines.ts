import { type Turn, turnsOf } from "../transcript/turns";
import type { Message, Session } from "../transcript/useSession";
import type { ThreadMessage } from "./useThread";

/** What stands in one line of a conversation. */
export type Line = { key: string } & (
  | { kind: "told"; messages: Message[] }
  | { kind: "turn"; turn: Turn; session: Session }
  | { kind: "said"; message: ThreadMessage; heard: Turn | undefined; session: Session | undefined }
  | {
      kind: "answer";
      /** Not there while the agent is at work. */
      message: ThreadMessage | null;
      turns: Turn[];
      session: Session | undefined;
    }
  | { kind: "word" | "deleted"; message: ThreadMessage }
);

/** What a transcript has of one message: the words as they were heard, and what came of them. */
interface Stretch {
  session: Session;
  heard: Turn | undefined;
  turns: Turn[];
}

/** A thread as it is read: its messages, with what agents did between them. */
export function linesOf(path: ThreadMessage[], sessions: Session[]): Line[] {
  const stretches = new Map<string, Stretch>();
  // The branch that is shown comes first, and knows best.
  for (const session of sessions.toReversed())
    for (const [id, stretch] of stretchesOf(session)) stretches.set(id, stretch);
  const lines: Line[] = [];
  path.forEach((message, place) => {
    if (message.role === "user") {
      lines.push(...saidLines(message, stretches.get(message.id), isAnswered(path, place)));
    } else if (message.role === "assistant") {
      const asked = path.slice(0, place).findLast(({ role }) => role === "user");
      const stretch = stretches.get(asked?.id ?? "");
      const key = `answer ${asked?.id ?? message.id}`;
      if (message.hidden) lines.push({ kind: "deleted", key: message.id, message });
      else lines.push({ kind: "answer", key, message, turns: [], session: undefined, ...stretch });
    } else {
      lines.push({ kind: message.hidden ? "deleted" : "word", key: message.id, message });
    }
  });
  return lines;
}

function saidLines(
  message: ThreadMessage,
  stretch: Stretch | undefined,
  answered: boolean,
): Line[] {
  const { heard, session, turns = [] } = stretch ?? {};
  const said: Line = message.hidden
    ? { kind: "deleted", key: message.id, message }
    : { kind: "said", key: message.id, message, heard, session };
  if (answered || turns.length === 0) return [said];
  return [said, { kind: "answer", key: `answer ${message.id}`, message: null, turns, session }];
}

/** Whether an answer to it comes further down, before a person speaks again. */
function isAnswered(path: ThreadMessage[], place: number): boolean {
  const next = path.slice(place + 1).find(({ role }) => role !== "system");
  return next?.role === "assistant";
}

/** A transcript in stretches, by the message of the thread that each belongs to. */
function stretchesOf(session: Session): Map<string, Stretch> {
  const byPlace = new Map(turnsOf(session).turns.map((turn) => [turn.message.position, turn]));
  const found = new Map<string, Stretch>();
  let now: Stretch | undefined;
  for (const { messageId, position } of session.messages) {
    const turn = byPlace.get(position);
    if (messageId) {
      now = found.get(messageId) ?? { session, heard: undefined, turns: [] };
      now.heard = turn ?? now.heard;
      found.set(messageId, now);
    } else if (turn) {
      now?.turns.push(turn);
    }
  }
  return found;
}

/** Why the work failed stands below all lines, with what can be done about it. */
export function withoutEnding(lines: Line[], session: Session | undefined): Line[] {
  const isTold = session?.status === "failed" || session?.status === "expired";
  return isTold && lines.at(-1)?.kind === "word" ? lines.slice(0, -1) : lines;
}

/** The lines of a session that is no thread. */
export function sessionLines(session: Session): Line[] {
  const { told, turns } = turnsOf(session);
  const begin: Line[] = told.length > 0 ? [{ kind: "told", key: "told", messages: told }] : [];
  const said = turns.map((turn): Line => {
    return { kind: "turn", key: String(turn.message.position), turn, session };
  });
  return [...begin, ...said];
}

/** The runs of answers that the transcript of the branch does not tell of: another agent's. */
export function otherRuns(path: ThreadMessage[], session: Session | undefined): string[] {
  const known = new Set(session?.messages.map(({ messageId }) => messageId));
  const asked = path.filter(({ role, id }) => role === "user" && !known.has(id));
  const runs = asked.map((message) => {
    const next = path[path.indexOf(message) + 1];
    return next?.role === "assistant" ? next.runId : message.runId;
  });
  return [...new Set(runs)].filter((id) => id !== null && id !== session?.id) as string[];
}
