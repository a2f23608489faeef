import { ActionIcon, Kbd, UnstyledButton } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";

import { MOD } from "@/keyboard/keys";

import styles from "./PaletteButton.module.css";

/** Opens the palette: a wide button, or an icon on a phone. */
export function PaletteButton({ onClick }: { onClick: () => void }) {
  return (
    <>
      <UnstyledButton
        className={styles.wide}
        visibleFrom="sm"
        onClick={onClick}
        aria-label="Search pages and commands"
        aria-keyshortcuts="Control+K Meta+K"
      >
        <IconSearch size={16} stroke={1.6} />
        <span className={styles.words}>Search or jump to…</span>
        <Kbd size="xs">{MOD} K</Kbd>
      </UnstyledButton>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        hiddenFrom="sm"
        onClick={onClick}
        aria-label="Search pages and commands"
      >
        <IconSearch size={18} stroke={1.6} />
      </ActionIcon>
    </>
  );
}
