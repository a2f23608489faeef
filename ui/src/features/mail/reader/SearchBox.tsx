import { ActionIcon, Code, Popover, Text, TextInput } from "@mantine/core";
import { IconHelp, IconSearch, IconX } from "@tabler/icons-react";
import { Fragment, useEffect, useState } from "react";

import styles from "./SearchBox.module.css";
import { elsewhere, type Place } from "./usePlace";

const HELP: [query: string, finds: string][] = [
  ["invoice march", "mails with both words"],
  ['"final reminder"', "these words in this order"],
  ["from:anna", "what Anna wrote; to:, cc: and subject: too"],
  ["after:2026-03", "since March; also before:, and 7d or 2w for ago"],
  ["has:attachment", "with something attached"],
  ["is:unread", "also is:flagged, is:answered, is:draft"],
  ["in:archive", "in a folder; also label: and account:"],
  ["-draft", "without this word"],
  ["(bill OR invoice)", "one or the other"],
];

// Where the window is narrow, it stays under the search box, and within the window.
const UNDER = { flip: { crossAxis: false }, shift: { padding: 16 } };

/** Looks for mail; Enter searches, an empty box goes back to the list. */
export function SearchBox({ place }: { place: Place }) {
  const { q = "" } = place.search;
  const [text, setText] = useState(q);
  useEffect(() => setText(q), [q]);
  const find = (next: string) => {
    const sought = next.trim() || undefined;
    if (sought === place.search.q) return;
    const { workspace, account } = place.search;
    place.go(
      sought ? elsewhere({ workspace, account, q: sought }) : { q: undefined, order: undefined },
    );
  };
  const clear = () => {
    setText("");
    find("");
  };
  return (
    <form
      role="search"
      aria-label="Mail"
      className={styles.search}
      onSubmit={(event) => {
        event.preventDefault();
        find(text);
      }}
    >
      <TextInput
        aria-label="Search mail"
        placeholder="Search mail"
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
        maxLength={500}
        autoComplete="off"
        data-filter
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape" && text) clear();
        }}
        style={{ flex: 1 }}
      />
      <Help />
    </form>
  );
}

function Help() {
  return (
    <Popover
      position="bottom-end"
      width="min(380px, calc(100vw - 32px))"
      middlewares={UNDER}
      withArrow
      arrowPosition="center"
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label="How to search">
          <IconHelp size={18} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label="How to search" tabIndex={-1}>
        <Text size="sm" mb="xs">
          Write words, and say where they stand. All that you write has to fit.
        </Text>
        <dl className={styles.help}>
          {HELP.map(([query, finds]) => (
            <Fragment key={query}>
              <dt>
                <Code>{query}</Code>
              </dt>
              <dd>{finds}</dd>
            </Fragment>
          ))}
        </dl>
      </Popover.Dropdown>
    </Popover>
  );
}
