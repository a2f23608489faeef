import { sentArguments } from "./sentArguments";
import { isSaid } from "./words";
import type { Call, Message, Session } from "./useSession";

/** A tool call in its place, with what the tool answered. */
export interface Deed {
  id: string;
  call: Call | undefined;
  /** As the model named it; for a call of which nothing else is known. */
  tool: string;
  result: Message | undefined;
  /** Its arguments as the model got them back, where redaction changed them. */
  sent: string | undefined;
}

/** What stands in one row of the conversation. */
export interface Turn {
  message: Message;
  deeds: Deed[];
  /** How many messages a summary stands for. */
  folded: number;
  /** The agent spoke last too: its name need not stand there again. */
  goesOn: boolean;
}

interface Turns {
  /** What the agent was told before anybody spoke. */
  told: Message[];
  turns: Turn[];
}

/** A transcript as people read it: results stand with the calls that they answer. */
export function turnsOf({ messages, calls, errorMessage }: Session): Turns {
  const byId = new Map(calls.map((call) => [call.id, call]));
  const results = new Map(messages.map((message) => [message.toolCallId, message]));
  const folded = new Map<number | null, number>();
  for (const { foldedInto } of messages) folded.set(foldedInto, (folded.get(foldedInto) ?? 0) + 1);
  const shown = messages.filter(({ kind, role }) => kind !== "prompt" && role !== "tool");
  const last = shown.at(-1);
  // Why it ended stands below, with what can be done about it.
  if (last?.kind === "note" && last.content === `[${errorMessage}]`) shown.pop();
  return {
    told: messages.filter(({ kind }) => kind === "prompt"),
    turns: shown.map((message, index) => ({
      message,
      goesOn: isAnswer(message) && isAnswer(shown[index - 1]),
      deeds: deedsOf(message, byId, results),
      folded: folded.get(message.position) ?? 0,
    })),
  };
}

/** Words of the agent. */
export const isAnswer = (message: Message | undefined) => message?.role === "assistant";

function deedsOf(
  message: Message,
  calls: Map<string, Call>,
  results: Map<string | null, Message>,
): Deed[] {
  return (message.toolCalls ?? []).map(({ id, function: named }) => ({
    id: String(id),
    call: calls.get(String(id)),
    tool: toolName(named),
    result: results.get(String(id)),
    sent: sentArguments(message, String(id)),
  }));
}

function toolName(named: unknown): string {
  const isNamed = typeof named === "object" && named !== null && "name" in named;
  return isNamed ? String(named.name) : "";
}

/** Whether two rows show the same: most of a long conversation never changes. */
export function isSameTurn(one: Turn, other: Turn): boolean {
  return (
    one.message === other.message &&
    one.folded === other.folded &&
    one.goesOn === other.goesOn &&
    one.deeds.length === other.deeds.length &&
    one.deeds.every(({ call, result }, index) => {
      const deed = other.deeds[index];
      return call === deed?.call && result === deed?.result;
    })
  );
}

/** Where the transcript begins to be the agent's: what it writes from here on is not in it yet. */
export const lastWritten = (messages: Message[]): number =>
  messages.findLast((message) => message.role !== "user")?.position ?? -1;

/** The first words, where the prompt has taken them up and no message says them. */
export const firstWords = ({ messages, title }: Session): string | null =>
  messages.length > 0 && title && !messages.some((one) => isSaid(one) && one.step === 0)
    ? title
    : null;
