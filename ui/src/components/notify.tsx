import { Button, Group, Kbd, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconAlertCircle } from "@tabler/icons-react";
import type { ReactNode } from "react";

const CLOSE = { "aria-label": "Close the notice" };

let undo: { notice: string; run: () => Promise<unknown> } | null = null;

/** Short news at the edge of the screen. */
export const notify = {
  done: (message: string) =>
    notifications.show({ message, autoClose: 4000, closeButtonProps: CLOSE }),

  failed: (message: string) =>
    notifications.show({
      title: "That did not work",
      message,
      role: "alert",
      icon: <IconAlertCircle size={18} />,
      color: "gray",
      autoClose: 10_000,
      closeButtonProps: CLOSE,
    }),

  /**
   * Once it is done, offers to take it back for as long as the notice is there. A promise, because
   * the row that did it may have left the page by then; whoever sends it says what went wrong.
   */
  undoable: (doing: Promise<unknown>, message: string, back: () => Promise<unknown>) => {
    doing.then(
      () => offer(message, back),
      () => {},
    );
  },

  /** Something happens in a moment: can be stopped for as long as the notice is there. */
  held: (message: ReactNode, seconds: number, stop: () => Promise<unknown>) =>
    offer(message, stop, { verb: "Cancel", lasts: seconds * 1000 }),
};

const UNDO = { verb: "Undo", lasts: 8000 };

function offer(message: ReactNode, run: () => Promise<unknown>, { verb, lasts } = UNDO) {
  const notice = notifications.show({
    message: (
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Text size="sm" component="div">
          {message}
        </Text>
        <Button
          size="compact-sm"
          variant="default"
          flex="none"
          onClick={undoLast}
          rightSection={<Kbd visibleFrom="sm">z</Kbd>}
        >
          {verb}
        </Button>
      </Group>
    ),
    autoClose: lasts,
    closeButtonProps: CLOSE,
    onClose: ({ id }) => {
      if (undo?.notice === id) undo = null;
    },
  });
  // The notice before this one can no longer be acted on.
  if (undo) notifications.hide(undo.notice);
  undo = { notice, run };
}

/** Takes back what the last notice is about. */
export function undoLast() {
  if (!undo) return;
  const { notice, run } = undo;
  undo = null;
  notifications.hide(notice);
  // Whoever sends it says what went wrong.
  run().catch(() => {});
}
