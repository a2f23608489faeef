import type { Schemas } from "@/api/client";
import type { paths } from "@/api/schema";

import { sentArguments } from "@/features/chat/transcript/sentArguments";

/** A run with all that belongs to it. */
export type Session =
  paths["/api/v1/sessions/{session_id}"]["get"]["responses"][200]["content"]["application/json"];
export type Message = Schemas["RunMessageOut"];
export type Call = Schemas["RunCallOut"];
export type ProviderEvent = Schemas["ProviderEventOut"];

/** A tool call of a message; what became of it is known unless it was copied from another run. */
export interface Wanted {
  id: string;
  tool: string;
  arguments: string;
  call?: Call;
  result?: Message;
  /** Its arguments as the model got them back, where redaction changed them. */
  sent?: string;
}

/** One try to get an answer from a model. */
export interface Attempt {
  key: string;
  request?: ProviderEvent;
  end?: ProviderEvent;
}

export interface Step {
  kind: "step";
  key: string;
  number: number;
  /** What the model said; null while it has not, or if it never did. */
  message: Message | null;
  calls: Wanted[];
  attempts: Attempt[];
}

export type Moment =
  | Step
  | { kind: "told"; key: string; messages: Message[] }
  | { kind: "said" | "note" | "summary"; key: string; message: Message };

/** A run as it went: what it was told, what was said to it, and its steps with what the model was asked for each. */
export function timeline(session: Session, events: ProviderEvent[]): Moment[] {
  const { messages } = session;
  const results = new Map(messages.map((message) => [message.toolCallId ?? "", message]));
  const calls = new Map(session.calls.map((call) => [call.id, call]));
  const byStep = attemptsByStep(events);
  const told = messages.filter(({ kind }) => kind === "prompt");
  const moments: Moment[] = told.length > 0 ? [{ kind: "told", key: "told", messages: told }] : [];
  for (const message of messages) {
    const key = String(message.position);
    if (message.kind === "prompt" || message.role === "tool") continue;
    if (message.kind !== "message") moments.push({ kind: message.kind, key, message });
    else if (message.role !== "assistant") moments.push({ kind: "said", key, message });
    else {
      const number = message.step;
      const wanted = wantedBy(message, calls, results);
      const attempts = byStep.get(number) ?? [];
      byStep.delete(number);
      moments.push({ kind: "step", key, number, message, calls: wanted, attempts });
    }
  }
  return withUnfinished(moments, byStep);
}

/** A model that was asked and never answered has its place before the words about the end. */
function withUnfinished(moments: Moment[], rest: Map<number, Attempt[]>): Moment[] {
  const last = moments.findLastIndex(({ kind }) => kind !== "note") + 1;
  const steps = [...rest].map(([number, attempts]): Step => ({
    kind: "step",
    key: `step ${number}`,
    number,
    message: null,
    calls: [],
    attempts,
  }));
  return moments.toSpliced(last, 0, ...steps);
}

function wantedBy(
  message: Message,
  calls: Map<string, Call>,
  results: Map<string, Message>,
): Wanted[] {
  return (message.toolCalls ?? []).map((given) => {
    const id = textOf(given.id);
    const { name, arguments: text } = (given.function ?? {}) as Record<string, unknown>;
    return {
      id,
      tool: textOf(name),
      arguments: textOf(text),
      call: calls.get(id),
      result: results.get(id),
      sent: sentArguments(message, id),
    };
  });
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** An event has the number of steps that were finished by then: it belongs to the one after. */
function attemptsByStep(newestFirst: ProviderEvent[]): Map<number, Attempt[]> {
  const found = new Map<number, Attempt[]>();
  for (const event of newestFirst.toReversed()) {
    const number = event.step + 1;
    const attempts = found.get(number) ?? [];
    const last = attempts.at(-1);
    if (event.kind === "request") attempts.push({ key: event.id, request: event });
    else if (last && !last.end) last.end = event;
    else attempts.push({ key: event.id, end: event });
    found.set(number, attempts);
  }
  return found;
}

export interface Figures {
  models: string[];
  milliseconds: number;
  inputTokens: number;
  outputTokens: number;
  /** Null where a price is not known. */
  money: number | null;
  cacheReadTokens: number;
  saved: number;
  /** Whether some of it is reckoned here, because the server did not tell. */
  estimated: boolean;
}

/** What a step used. */
export function figuresOf(attempts: Attempt[]): Figures {
  const ends = attempts.flatMap(({ end }) => end ?? []);
  // An answer that broke off has used something too.
  const answers = ends.filter(({ kind, inputTokens }) => kind === "response" || inputTokens > 0);
  const sum = (of: (event: ProviderEvent) => number) =>
    answers.reduce((total, event) => total + of(event), 0);
  return {
    models: [...new Set(ends.map(({ model }) => model))],
    milliseconds: ends.reduce((total, { latencyMs }) => total + (latencyMs ?? 0), 0),
    inputTokens: sum(({ inputTokens }) => inputTokens),
    outputTokens: sum(({ outputTokens }) => outputTokens),
    money: answers.some(({ money }) => money === null) ? null : sum(({ money }) => money ?? 0),
    cacheReadTokens: sum(({ cacheReadTokens }) => cacheReadTokens),
    saved: sum(({ saved }) => saved),
    estimated: answers.some(({ estimated }) => estimated),
  };
}

/** What went wrong, where a model gave no answer. */
export function errorOf(end: ProviderEvent | undefined): string | null {
  return typeof end?.payload.error === "string" ? end.payload.error : null;
}

/** The arguments of a call, if they can be read. */
export function argumentsOf(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text || "{}");
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
