import type { Schemas } from "@/api/client";

type Index = Pick<
  Schemas["NotebookIndexOut"],
  "state" | "scanned" | "files" | "waiting" | "failed" | "problem" | "watching"
>;

const counted = (count: number) =>
  `${count.toLocaleString("en")} ${count === 1 ? "file" : "files"}`;

/** How far the index of a notebook is, in words. */
export function scanInWords(index: Index): string {
  const { state, scanned, files, waiting, failed, problem, watching } = index;
  if (problem) return problem;
  if (state === "running") return `Looking through the folder: ${counted(scanned)} so far.`;
  if (state === "stopped")
    return `Stopped after ${counted(scanned)}. What was not looked at is not found yet.`;
  const rest = [
    waiting > 0 && `${waiting.toLocaleString("en")} still to be read`,
    failed > 0 && `${failed.toLocaleString("en")} could not be read`,
  ].filter(Boolean);
  const known = [`${counted(files)} in the index`, ...rest].join(", ");
  return watching ? `${known}. ${watching}` : `${known}.`;
}

/** What can be done about it: what it is called, and what it does. */
export function scanVerb(state: Index["state"]): { action: "start" | "stop"; words: string } {
  if (state === "running" || state === "waiting") return { action: "stop", words: "Stop" };
  return { action: "start", words: state === "stopped" ? "Go on" : "Look again" };
}
