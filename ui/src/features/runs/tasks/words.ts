import type { Schemas } from "@/api/client";
import type { State } from "@/components/StateMark";
import { visibleParts } from "@/features/gate/shared/visible";
import { STATUSES } from "@/features/runs/list/words";

export type Task = Schemas["TaskOut"];

/** Whose words a text holds. */
export const LABELS: Record<Task["label"], string> = {
  owner: "your own words",
  contact: "from someone you know",
  stranger: "from a stranger's words",
  web: "from the web",
};

export const isLive = ({ state }: Task) => state === "queued";

/** How a task stands; one that waits to be done needs no word. */
export function standing({ state, runStatus }: Task): { state: State; words: string } | null {
  switch (state) {
    case "queued":
      return STATUSES[runStatus ?? "pending"];
    case "done":
      return { state: "ok", words: "done" };
    case "failed":
      return { state: "failed", words: "it did not work" };
    case "open":
      return null;
  }
}

const DAY = 86_400_000;
const nearby = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const far = new Intl.DateTimeFormat("en", { day: "numeric", month: "long", year: "numeric" });

/** "due tomorrow", "due 31 March 2027". A day has no zone: it is where the reader is. */
export function dueInWords(due: string): string {
  const day = new Date(`${due}T00:00`);
  const days = Math.round((day.getTime() - new Date().setHours(0, 0, 0, 0)) / DAY);
  return `due ${Math.abs(days) < 7 ? nearby.format(days, "day") : far.format(day)}`;
}

/** The beginning of the title, for labels and notices. */
export function nameOf({ title }: Pick<Task, "title">): string {
  const text = visibleParts(title)
    .map((part) => (typeof part === "string" ? part : `[${part.code}]`))
    .join("");
  return text.length > 60 ? `${[...text].slice(0, 59).join("")}…` : text;
}
