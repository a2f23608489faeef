import { Button } from "@mantine/core";

import { leaveRow } from "../leaveRow";
import { useOutboxActions } from "./useOutboxActions";
import { type Outgoing, subjectOf } from "./words";

/** What one can still do about a message; of one that is out, nothing. */
export function Answers({ outgoing }: { outgoing: Outgoing }) {
  const { isPending, cancel, sendNow, resolve } = useOutboxActions(outgoing);
  const about = subjectOf(outgoing);
  const button = (words: string, act: () => void) => (
    <Button
      size="xs"
      variant="default"
      disabled={isPending}
      onClick={({ currentTarget }) => {
        moveOn(currentTarget);
        act();
      }}
      aria-label={`${words}: ${about}`}
    >
      {words}
    </Button>
  );
  switch (outgoing.status) {
    case "held":
      return (
        <>
          {button("Take back", cancel)}
          {button("Send now", sendNow)}
        </>
      );
    case "failed":
      return (
        <>
          {button("Discard", cancel)}
          {button("Try again", sendNow)}
        </>
      );
    case "unknown":
      return (
        <>
          {button("It was sent", () => resolve(true))}
          {button("Send again", () => resolve(false))}
        </>
      );
    default:
      return null;
  }
}

/** In a dialog one stays. */
function moveOn(pressed: HTMLElement) {
  const dialog = pressed.closest<HTMLElement>("[role='dialog']");
  if (dialog) dialog.focus();
  else leaveRow(pressed);
}
