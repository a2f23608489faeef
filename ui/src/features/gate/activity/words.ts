import type { Schemas } from "@/api/client";
import type { State } from "@/components/StateMark";

type Status = Schemas["ActionOut"]["status"];

export const STATUSES: Record<Status, { state: State; words: string }> = {
  open: { state: "waiting", words: "under way" },
  done: { state: "ok", words: "done" },
  failed: { state: "failed", words: "did not work" },
  unknown: { state: "warning", words: "nobody knows whether it happened" },
};

export const FILTERS: { value: Status | ""; label: string }[] = [
  { value: "", label: "However it ended" },
  { value: "done", label: "Done" },
  { value: "failed", label: "Did not work" },
  { value: "open", label: "Under way" },
  { value: "unknown", label: "Nobody knows" },
];

export const asStatus = (text: string | undefined): Status | undefined =>
  FILTERS.find(({ value }) => value !== "" && value === text)?.value || undefined;
