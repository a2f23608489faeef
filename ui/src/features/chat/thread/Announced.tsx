import { VisuallyHidden } from "@mantine/core";
import { useState } from "react";

import type { ThreadMessage } from "./useThread";

const MOST = 600;

/** Says each answer that comes to whoever cannot see it, once and when they are ready. */
export function Announced({ messages }: { messages: ThreadMessage[] | undefined }) {
  const answer = messages?.findLast(({ role }) => role === "assistant");
  const [first, setFirst] = useState<string | null | undefined>(undefined);
  // What was there when the page was opened is no news.
  if (messages && first === undefined) setFirst(answer?.id ?? null);
  const isNew = answer !== undefined && first !== undefined && answer.id !== first;
  return (
    <VisuallyHidden aria-live="polite">
      {isNew && `${answer.username}: ${answer.content.slice(0, MOST)}`}
    </VisuallyHidden>
  );
}
