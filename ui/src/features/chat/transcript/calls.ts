import type { State } from "@/components/StateMark";

import type { Call } from "./useSession";

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
  rehearsed: { state: "off", words: "would have been done" },
};

/** What was decided about a call, and what came of it. */
export function fateOf({ verdict, status }: Call): Fate {
  const isAtWork = status === "waiting" && verdict !== "asked";
  return {
    verdict: verdictOf(verdict, status),
    outcome: isAtWork ? { state: "waiting", words: "at work" } : OUTCOMES[status],
  };
}

function verdictOf(verdict: Call["verdict"], status: Call["status"]): Fate["verdict"] {
  if (verdict === "allowed") return { shade: "allowed", words: "allowed" };
  if (verdict === "blocked") return { shade: "blocked", words: "blocked" };
  if (verdict !== "asked" || status === "skipped") return undefined;
  if (status === "rehearsed") return { shade: "asks", words: "would ask a person" };
  if (status === "waiting") return { shade: "asks", words: "asks a person" };
  if (status === "denied") return { shade: "blocked", words: "not allowed" };
  return { shade: "allowed", words: "a person said yes" };
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
  return typeof value === "string" ? value.trim().replace(/\s+/g, " ") : null;
}
