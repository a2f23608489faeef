import type { Schemas } from "@/api/client";

/** Something that happened in the office. */
export type Happening = Schemas["EventOut"];

/** What was missed has been told: from here on it is what happens now. */
export interface Ready {
  type: "stream.ready";
  position: number;
}

/** The server no longer keeps what was asked for. */
export interface Reset {
  type: "stream.reset";
}

/** A piece of text that is being written. It is not kept. */
export interface Chunk {
  type: "chunk";
  channel: string;
  attempt: number;
  offset: number;
  text: string;
  done: boolean;
}

export type Frame = Happening | Ready | Reset | Chunk;

export const isHappening = (frame: Frame): frame is Happening => "id" in frame;
