import { useEffect, useState } from "react";

import type { Chunk } from "./frames";
import { listen } from "./live";

/** A text while it is written. */
export interface Writing {
  attempt: number;
  text: string;
  /** Where the next piece belongs, in characters as the server counts them. */
  end: number;
  /** Something before or in the middle was missed; whoever needs the whole reads it when it is done. */
  hasGap: boolean;
  done: boolean;
}

export type Writings = ReadonlyMap<string, Writing>;

const NONE: Writings = new Map();

/** The texts that are being written on channels that begin so, as far as they have come. */
export function useChunks(prefix: string): Writings {
  const [held, hold] = useState({ prefix, texts: NONE });
  useEffect(
    () =>
      listen((frame) => {
        if (frame.type !== "chunk" || !("channel" in frame)) return;
        if (!frame.channel.startsWith(prefix)) return;
        hold((before) => ({ prefix, texts: added(before, prefix, frame) }));
      }),
    [prefix],
  );
  return held.prefix === prefix ? held.texts : NONE;
}

function added(held: { prefix: string; texts: Writings }, prefix: string, chunk: Chunk): Writings {
  const texts = new Map(held.prefix === prefix ? held.texts : NONE);
  texts.set(chunk.channel, grown(texts.get(chunk.channel), chunk));
  return texts;
}

/** A new attempt, or a new beginning, starts the text again. */
export function grown(
  before: Writing | undefined,
  { attempt, offset, text, done }: Chunk,
): Writing {
  const starts = before?.attempt !== attempt || (offset === 0 && text !== "");
  const known = starts ? "" : before.text;
  const expected = starts ? 0 : before.end;
  return {
    attempt,
    text: known + text,
    // The server counts characters, and not halves of them as a string here does.
    end: offset + [...text].length,
    hasGap: offset !== expected || (!starts && before.hasGap),
    done,
  };
}
