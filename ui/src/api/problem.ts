import type { Schemas } from "./client";

const UNREACHABLE = "The server does not answer. Check that Bailiwick is running, then try again.";
const UNKNOWN = "Something went wrong. Try again.";

function isProblem(error: unknown): error is Schemas["Problem"] {
  return typeof error === "object" && error !== null && "detail" in error && "status" in error;
}

/** What happened, in words for a person. */
export function detailOf(error: unknown): string {
  if (isProblem(error)) return error.detail;
  return error instanceof TypeError ? UNREACHABLE : UNKNOWN;
}

/** What to do about something that could not be read, where the server's words do not say it. */
export function adviceFor(error: unknown): string | null {
  const status = statusOf(error) ?? 0;
  if (status === 403) return "Ask an admin of this office if you need it.";
  if (status === 404) return "It may have been deleted, or taken from you.";
  if (status === 429) return "Wait a moment.";
  return status >= 500 ? "If it stays, tell whoever runs this office, with the trace below." : null;
}

/** It is not there any more, or not for this person: what was read before must not be shown. */
export function isGone(error: unknown): boolean {
  return [403, 404].includes(statusOf(error) ?? 0);
}

export function traceOf(error: unknown): string | undefined {
  return isProblem(error) ? error.trace_id : undefined;
}

export function statusOf(error: unknown): number | undefined {
  return isProblem(error) ? error.status : undefined;
}

/** The messages for each field, one sentence a field. */
export function fieldErrorsOf(error: unknown): Record<string, string> {
  if (!isProblem(error) || !error.errors) return {};
  const entries = Object.entries(error.errors).map(([field, messages]) => [
    field,
    sentence(messages),
  ]);
  return Object.fromEntries(entries) as Record<string, string>;
}

function sentence(messages: string[]): string {
  const text = messages.join("; ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}
