import type { ThreadMessage, ThreadVerbs } from "./useThread";

/** What can be done in the conversation that is open; a reader of another's can do less. */
export interface Talk {
  isOwn: boolean;
  /** An agent is at work: what would begin other work waits. */
  isAtWork: boolean;
  verbs: ThreadVerbs | null;
  /** The message that is being said anew. */
  editing: ThreadMessage | null;
  edit: (message: ThreadMessage | null) => void;
  /** Puts words into the box below. */
  quote: (text: string) => void;
}

/** A text as a quotation in markdown. */
export const quoted = (text: string) =>
  `${text
    .trim()
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n")}\n\n`;
