import type { Schemas } from "@/api/client";
import type { State } from "@/components/StateMark";
import { KINDS, LABELS } from "@/features/gate/shared/words";

export type Entry = Schemas["EntryOut"];
export type Detail = Schemas["EntryDetailOut"];

/** What became of a call, as a mark and a word. */
export const STATUSES: Record<string, { state: State; words: string }> = {
  done: { state: "ok", words: "done" },
  failed: { state: "failed", words: "failed" },
  denied: { state: "off", words: "not done" },
  pending: { state: "waiting", words: "waits for a person" },
  open: { state: "waiting", words: "begun" },
  unknown: { state: "warning", words: "nobody knows whether it was done" },
  delegated: { state: "ok", words: "handed on" },
};

export const DECISION_FILTERS = [
  { value: "", label: "Any decision" },
  { value: "ALLOW", label: "Allowed" },
  { value: "REDACT", label: "Allowed, with parts taken out" },
  { value: "REQUIRE_APPROVAL", label: "Asked a person" },
  { value: "BLOCK", label: "Blocked by a rule" },
  { value: "DENY", label: "Denied otherwise" },
];

export const STATUS_FILTERS = [
  { value: "", label: "Any outcome" },
  { value: "done", label: "Done" },
  { value: "failed", label: "Failed" },
  { value: "denied", label: "Not done" },
  { value: "pending", label: "Waited for a person" },
  { value: "open", label: "Begun" },
  { value: "unknown", label: "Unknown" },
];

/**
 * A change has a line before it is done, and one after it. Where the second is shown, the first says nothing new: it
 * stands beside the second, under "About the same call".
 */
export function begunAndEnded(entries: Entry[]): Set<Entry> {
  const over = new Set(entries.filter(({ phase }) => phase === "call").map(({ callId }) => callId));
  return new Set(entries.filter(({ phase, callId }) => phase === "intent" && over.has(callId)));
}

/** The caller as it is shown elsewhere; a kind that is not known is shown as a program. */
export function callerOf({ caller: { kind, name, version } }: Entry) {
  const known = kind && kind in KINDS ? (kind as keyof typeof KINDS) : "client";
  return { kind: known, name: name ?? "someone unknown", version: version ?? undefined };
}

/** Whose words the caller had read by then. */
export const labelInWords = (label: string) =>
  label in LABELS ? LABELS[label as keyof typeof LABELS] : label;

/** The sources as the audit keeps them: pairs of label and name. */
export function sourcesOf({ sources }: Detail): Schemas["SourceOut"][] {
  if (!Array.isArray(sources)) return [];
  return sources
    .filter((pair): pair is [string, unknown] => Array.isArray(pair) && pair.length === 2)
    .map(([label, about]) => ({
      label: label as Schemas["SourceOut"]["label"],
      about: String(about),
    }));
}

export function argumentsOf({ arguments: given }: Detail): Record<string, unknown> {
  return typeof given === "object" && given !== null ? (given as Record<string, unknown>) : {};
}

/** "3 ms", "1.2 s". */
export function durationInWords(milliseconds: number): string {
  return milliseconds < 1000
    ? `${Math.round(milliseconds * 10) / 10} ms`
    : `${(milliseconds / 1000).toFixed(1)} s`;
}

export const counted = (count: number, one: string, many = `${one}s`) =>
  `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
