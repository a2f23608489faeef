import { useRef } from "react";

import type { Sought } from "./usePlace";
import type { Line } from "./words";

/**
 * While only unread mail is shown, the one that is open stays in its place, though it is read by now: else the row
 * would go from under the reader, and the keyboard with it.
 */
export function useOpenKept(items: Line[] | undefined, { unread, q, mail }: Sought) {
  const kept = useRef<{ line: Line; at: number }>(null);
  const at = items?.findIndex(({ id }) => id === mail) ?? -1;
  const line = items?.[at];
  if (line) kept.current = { line, at };
  else if (kept.current?.line.id !== mail) kept.current = null;
  if (!items || line || !kept.current || !unread || q) return items;
  return items.toSpliced(kept.current.at, 0, { ...kept.current.line, seen: true });
}
