import { Anchor, Text } from "@mantine/core";
import { type KeyboardEvent, useCallback, useEffect, useRef } from "react";

import { fieldErrorsOf } from "@/api/problem";
import { Empty, Failed, Loading } from "@/components/states";
import { moveAlongRows } from "@/keyboard/focus";

import { LINE_HEIGHT, MailLine } from "./MailLine";
import { NoMail } from "./NoMail";
import styles from "./MailList.module.css";
import type { Mails } from "./useMails";
import { elsewhere, type Place } from "./usePlace";
import { useWindow } from "./useWindow";

const ARROWS: Record<string, 1 | -1> = { ArrowDown: 1, ArrowUp: -1 };
const NEAR = 20;

interface Props {
  mails: Mails;
  place: Place;
  /** Someone wants to read it: Enter or a click. */
  onOpen: (id: string) => void;
}

/** The mails of a place. Only those in sight are on the page, so that thousands scroll as well as ten. */
export function MailList({ mails, place, onOpen }: Props) {
  const { search, open } = place;
  const frame = useRef<HTMLDivElement>(null);
  const items = mails.items ?? [];
  const { first, last } = useWindow(frame, items.length, LINE_HEIGHT);
  const opened = items.findIndex(({ id }) => id === search.mail);
  const { more } = mails;
  const here = JSON.stringify({ ...search, mail: undefined, dialog: undefined });

  useEffect(() => {
    if (last >= items.length - NEAR) more();
  });
  useEffect(() => {
    frame.current?.scrollTo({ top: 0 });
  }, [here]);

  // While a mail is open beside the list, the keyboard opens what it comes to.
  const reading = search.mail !== undefined;
  const reach = useRef(open);
  reach.current = open;
  const onReach = useCallback(
    (id: string) => {
      if (reading) reach.current(id, { replace: true });
    },
    [reading],
  );
  const onKey = (event: KeyboardEvent) => {
    const step = ARROWS[event.key];
    if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    moveAlongRows(step);
  };

  const shown = items.slice(first, last).map((line, index) => ({ line, at: first + index }));
  const current = items[opened];
  // The open one stays on the page wherever one has scrolled: the keyboard goes on from it.
  if (current && (opened < first || opened >= last)) shown.push({ line: current, at: opened });
  return (
    // The rows have the focus; the keys are heard here for all of them.
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      className={styles.lines}
      ref={frame}
      onKeyDown={onKey}
      data-stale={mails.isStale || undefined}
    >
      {mails.error ? (
        <div className={styles.inset}>
          <NotRead mails={mails} />
        </div>
      ) : !mails.items ? (
        <Loading rows={8} />
      ) : items.length === 0 ? (
        <div className={styles.inset}>
          {search.q ? <NothingFound place={place} /> : <NoMail place={place} />}
        </div>
      ) : (
        <ul
          role="list"
          aria-label="Mails"
          className={styles.list}
          style={{ height: items.length * LINE_HEIGHT }}
        >
          {shown.map(({ line, at }) => (
            <MailLine
              key={line.id}
              line={line}
              place={at}
              total={Math.max(mails.total, items.length)}
              isOpen={at === opened}
              onReach={onReach}
              onOpen={onOpen}
            />
          ))}
        </ul>
      )}
    </div>
  );
}

function NotRead({ mails: { error, refetch } }: { mails: Mails }) {
  const { q: wrong } = fieldErrorsOf(error);
  if (wrong) return <Empty title="This cannot be looked for">{wrong}</Empty>;
  return <Failed error={error} retry={refetch} />;
}

function NothingFound({ place }: { place: Place }) {
  const { account } = place.search;
  return (
    <Empty title="Nothing was found">
      Try fewer words, or a part of the sender's name, such as from:anna.
      {account && (
        <Text span display="block" mt="xs">
          Only one account was searched.{" "}
          <Anchor
            component="button"
            type="button"
            size="sm"
            onClick={() => place.go(elsewhere({ q: place.search.q }))}
          >
            Search all
          </Anchor>
        </Text>
      )}
    </Empty>
  );
}
