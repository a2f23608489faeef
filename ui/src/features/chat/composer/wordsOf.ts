import { message, type Written } from "./pasted";

/** A message for a thread. What was pasted is kept with it, for whoever says it anew. */
export function wordsOf(written: Written) {
  const { content, pasted } = message(written);
  return { content, pasted, metadata: pasted.length > 0 ? { pasted } : {} };
}
