import { Loader, Text, TextInput, VisuallyHidden } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { type KeyboardEvent, useId, useState } from "react";

import type { Command } from "./command";
import { Choices } from "./Choices";
import { inGroups, matching } from "./match";
import styles from "./Palette.module.css";
import { useCommands } from "./sources";

/** The palette's field, and what it finds. */
export function Finder({ onChoose }: { onChoose: (command: Command) => void }) {
  const id = useId();
  const [text, setText] = useState("");
  const [index, setIndex] = useState(0);
  const { commands, pending } = useCommands(text.trim());
  const groups = inGroups(matching(commands, text));
  const found = groups.flatMap(([, items]) => items);
  const here = Math.min(index, found.length - 1);

  const moves: Record<string, number> = {
    ArrowDown: (here + 1) % found.length,
    ArrowUp: (here - 1 + found.length) % found.length,
    PageDown: Math.min(here + 8, found.length - 1),
    PageUp: Math.max(here - 8, 0),
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const next = moves[event.key];
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter" && found[here]) onChoose(found[here]);
    else if (next !== undefined && found.length > 0) setIndex(next);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <TextInput
        aria-label="Search pages and commands"
        placeholder="Search files, mail, pages and commands"
        leftSection={<IconSearch size={18} />}
        rightSection={pending && <Loader size={16} />}
        variant="unstyled"
        size="md"
        className={styles.field}
        autoFocus
        data-autofocus
        autoComplete="off"
        spellCheck={false}
        role="combobox"
        aria-expanded
        aria-autocomplete="list"
        aria-controls={`${id}-list`}
        aria-activedescendant={found[here] && `${id}-${found[here].id}`}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setIndex(0);
        }}
        onKeyDown={onKeyDown}
      />
      <Choices id={id} groups={groups} current={found[here]} onChoose={onChoose} />
      {found.length === 0 && !pending && (
        <Text c="dimmed" size="sm" p="md">
          Nothing is called that. Try another word, such as “users” or “dark”.
        </Text>
      )}
      <VisuallyHidden role="status">
        {text && `${found.length} ${found.length === 1 ? "match" : "matches"}`}
      </VisuallyHidden>
    </>
  );
}
