import { Group, Kbd, Modal } from "@mantine/core";
import { useState } from "react";

import type { Command } from "./command";
import { Finder } from "./Finder";
import styles from "./Palette.module.css";

interface Props {
  opened: boolean;
  onClose: () => void;
}

/** Ctrl-K: search, jump and do, by keyboard alone. */
export function Palette({ opened, onClose }: Props) {
  const [chosen, setChosen] = useState<Command | null>(null);
  const choose = (command: Command) => {
    setChosen(command);
    onClose();
  };
  // It runs once the dialog is gone: the dialog gives the focus back, and the command may move it.
  const afterwards = () => {
    chosen?.run();
    setChosen(null);
  };
  return (
    <Modal.Root
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={afterwards}
      size={600}
      radius="md"
      yOffset="10vh"
      centered={false}
      // There at once: what is typed right after Ctrl-K belongs into the field.
      transitionProps={{ duration: 0 }}
      returnFocus
    >
      <Modal.Overlay backgroundOpacity={0.4} />
      <Modal.Content aria-label="Search and commands">
        <Finder onChoose={choose} />
        <Group className={styles.hint} gap="md" aria-hidden visibleFrom="sm">
          <span>
            <Kbd size="xs">↑</Kbd> <Kbd size="xs">↓</Kbd> to move
          </span>
          <span>
            <Kbd size="xs">Enter</Kbd> to choose
          </span>
          <span>
            <Kbd size="xs">Esc</Kbd> to close
          </span>
        </Group>
      </Modal.Content>
    </Modal.Root>
  );
}
