import type { Place } from "@/routes/navigation";

/** Something the palette offers: a place to go, a thing to do, or something found. */
export interface Command {
  id: string;
  label: string;
  group: string;
  icon: Place["icon"];
  /** Beside the label, smaller. */
  detail?: string;
  /** Other words by which one may look for it. */
  words?: string;
  /** Where it says what was typed, in pieces. */
  snippet?: { text: string; found: boolean }[];
  run: () => void;
}

export interface Offer {
  commands: Command[];
  /** More may come: the server is being asked. */
  pending?: boolean;
}

/**
 * Where commands come from: a hook that a feature writes and `sources.ts` lists. It is given the text typed so far, so
 * that it may ask the server; what it returns is matched against the text here all the same.
 */
export type Source = (text: string) => Offer;
