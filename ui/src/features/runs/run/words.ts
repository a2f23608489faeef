import { visibleParts } from "@/features/gate/shared/visible";
import { counted, dollars, figure, savedInWords, took } from "@/features/llm/models/amounts";

import type { Call, Figures, Message, Session } from "./timeline";

/** Why a run ended, in short; the error says it in full. */
export const WHY: Record<NonNullable<Session["why"]>, string> = {
  done: "It came to an end by itself",
  step_limit: "It took as many steps as it may",
  length: "Its answer was cut off at the limit, again and again",
  timeout: "It worked as long as it may",
  budget: "Its budget was used up",
  cancelled: "Someone ended it",
  halted: "Everything was stopped",
  agent_gone: "Its agent was removed or switched off",
  person_gone: "The person for whom it ran is gone",
  parent_ended: "The run that asked for it ended",
  prompt: "Its prompt could not be used",
  model: "No model answered",
  error: "Something went wrong on our side",
};

type Shade = "allowed" | "asks" | "blocked";

const ASKED: Partial<Record<Call["status"], string>> = {
  waiting: "asks a person",
  done: "asked, a person said yes",
  denied: "asked, and not allowed",
  failed: "asked and allowed, then it failed",
  unknown: "asked and allowed, nobody knows whether it happened",
  rehearsed: "would have asked a person",
};
const ALLOWED: Partial<Record<Call["status"], string>> = {
  failed: "allowed, but it failed",
  unknown: "allowed, nobody knows whether it happened",
  rehearsed: "allowed, but not done: this run has no effects",
};
const UNDECIDED: Partial<Record<Call["status"], string>> = {
  wanted: "about to be done",
  waiting: "asked another agent",
  skipped: "not done",
};

/** What the gate said of a call; without a colour where it was not asked. */
export function verdictOf({ verdict, status }: Call): { shade?: Shade; words: string } {
  if (verdict === "asked") return { shade: "asks", words: ASKED[status] ?? "asked, not done" };
  if (verdict === "blocked") return { shade: "blocked", words: "blocked" };
  if (verdict === "allowed") return { shade: "allowed", words: ALLOWED[status] ?? "allowed" };
  return { words: UNDECIDED[status] ?? status };
}

/** "gpt-5.4-mini · 1.2 s · 1,204 tokens in, 86 out · $0.0012". */
export function figuresInWords(figures: Figures): string[] {
  const { models, milliseconds, inputTokens, outputTokens, money } = figures;
  const { cacheReadTokens, saved, estimated } = figures;
  const used = inputTokens + outputTokens > 0;
  return [
    ...models,
    took(milliseconds),
    used &&
      `${estimated ? "about " : ""}${counted(inputTokens, "token")} in` +
        `${cacheReadTokens > 0 ? ` (${figure(cacheReadTokens)} cached)` : ""}, ` +
        `${figure(outputTokens)} out`,
    used && (money === null ? "price not known" : dollars(money)),
    savedInWords(saved),
  ].filter((part) => typeof part === "string");
}

const SPEAKERS: Record<Message["role"], string> = {
  system: "System",
  user: "Said to it",
  assistant: "The agent",
  tool: "A tool's answer",
};

export function speakerOf({ role, kind }: Message): string {
  if (kind === "note") return "Note of the office";
  if (kind === "summary") return "Summary of what was before";
  return SPEAKERS[role];
}

/** JSON with its indents, and what hides in it made visible. */
export function asJson(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
  return visibleParts(text)
    .map((part) => (typeof part === "string" ? part : `[${part.code}]`))
    .join("");
}

/** The same for text that may be JSON. */
export function prettied(text: string): string {
  try {
    return asJson(JSON.parse(text));
  } catch {
    return asJson(text);
  }
}
