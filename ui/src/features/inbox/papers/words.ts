import type { Schemas } from "@/api/client";
import type { State } from "@/components/StateMark";

export type Paper = Schemas["InboxFileOut"];
export type Suggestion = Schemas["SuggestionOut"];
export type Suggested = Paper & { suggestion: Suggestion };

export const isSuggested = (paper: Paper): paper is Suggested => paper.suggestion !== null;

/** How a paper without a suggestion stands, as a person would say it. */
const STATES: Record<Paper["state"], { state: State; words: string }> = {
  new: { state: "waiting", words: "Nobody has looked at it yet" },
  waiting: { state: "retrying", words: "Looked at again soon" },
  running: { state: "retrying", words: "Being looked at" },
  suggested: { state: "waiting", words: "Waiting for you" },
  undecided: { state: "off", words: "No folder stands out" },
  failed: { state: "failed", words: "It could not be looked at" },
  answered: { state: "ok", words: "Kept in the inbox" },
};

export function standingOf({ state, copyOf, textState }: Paper): { state: State; words: string } {
  if (copyOf && state !== "running" && state !== "waiting") {
    return { state: "off", words: "A copy" };
  }
  if (state === "new" && textState === "waiting") {
    return { state: "retrying", words: "Being read" };
  }
  return STATES[state];
}

/** Whether another look could change something. */
export const canBeTried = ({ state, copyOf }: Paper) =>
  !copyOf && (state === "new" || state === "undecided" || state === "failed");

/** How sure the organiser is. Below what the settings ask for it counts as not sure, whatever the number. */
export function confidenceInWords({
  confidence,
  below_minimum: isBelow,
}: Pick<Suggestion, "confidence" | "below_minimum">): string {
  if (isBelow) return "Not sure";
  if (confidence >= 0.9) return "Very sure";
  return confidence >= 0.75 ? "Sure" : "Fairly sure";
}

export const percent = (confidence: number) => `${Math.round(confidence * 100)}%`;

/** A folder as it is said: the notebook first, and no slash at its end. */
export const folderName = (path: string) => path.split("/").filter(Boolean).join(" / ");

export const papersInWords = (count: number) =>
  count === 1 ? "1 paper" : `${count.toLocaleString("en")} papers`;

/** What kind of file it is, for its icon. */
export type Kind = "text" | "pdf" | "picture" | "table" | "mail" | "archive" | "file";

const KINDS: [RegExp, Kind][] = [
  [/^application\/pdf$/, "pdf"],
  [/^image\//, "picture"],
  [/csv|spreadsheet|excel/, "table"],
  [/^message\//, "mail"],
  [/zip|x-tar|gzip|compressed/, "archive"],
  [/^text\/|wordprocessing|msword|opendocument\.text|rtf/, "text"],
];

export const kindOf = (mediaType: string | null): Kind =>
  KINDS.find(([pattern]) => pattern.test(mediaType ?? ""))?.[1] ?? "file";
