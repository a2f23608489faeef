import { ActionIcon, TextInput } from "@mantine/core";
import { IconSearch, IconX } from "@tabler/icons-react";
import { useEffect, useState } from "react";

import styles from "../ResultsPage.module.css";
import { type Go, NOTHING, type Sought } from "../useSought";

/** Looks for results by the sender's or the subject's words; Enter searches. */
export function SearchBox({ sought, go }: { sought: Sought; go: Go }) {
  const { q = "" } = sought;
  const [text, setText] = useState(q);
  useEffect(() => setText(q), [q]);
  const find = (next: string) => {
    if (next.trim() !== q) go({ ...NOTHING, q: next.trim() || undefined });
  };
  const clear = () => {
    setText("");
    find("");
  };
  return (
    <form
      role="search"
      aria-label="Results"
      className={styles.search}
      onSubmit={(event) => {
        event.preventDefault();
        find(text);
      }}
    >
      <TextInput
        aria-label="Search results"
        placeholder="Subject or sender"
        leftSection={<IconSearch size={16} />}
        rightSection={
          text && (
            <ActionIcon
              variant="subtle"
              color="gray"
              size="sm"
              aria-label="Clear the search"
              onClick={clear}
            >
              <IconX size={14} />
            </ActionIcon>
          )
        }
        maxLength={200}
        autoComplete="off"
        data-filter
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape" && text) clear();
        }}
      />
    </form>
  );
}
