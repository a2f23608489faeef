import { ActionIcon, Button, Text, Title, Tooltip } from "@mantine/core";
import { IconArrowLeft, IconBell } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useCallback, useMemo, useRef, useState } from "react";

import { useTitle } from "@/components/useTitle";
import { usePageKeys } from "@/keyboard/pageKeys";

import { Pane } from "./pane/Pane";
import styles from "./ResultsPage.module.css";
import { ListHead } from "./tree/ListHead";
import { SearchBox } from "./tree/SearchBox";
import { Tree } from "./tree/Tree";
import { casesOf, type Row } from "./tree/tree";
import { useCaseVerbs } from "./useCaseVerbs";
import { oneCase, useCases } from "./useCases";
import { addressOf, useChoosing } from "./useChoosing";
import { NOTHING, toCase, useSought } from "./useSought";
import type { Case, Item } from "./words";

/** What came of the mail: a tree of mails, directors and items, and what is chosen in it. On a phone, one at a time. */
export function ResultsPage() {
  useTitle("Results");
  const { sought, go } = useSought();
  const cases = useCases(sought);
  const { rows, chosen, selected, setSelected, fold, select, reach } = useChoosing(
    sought,
    go,
    cases,
  );
  const verbs = useCaseVerbs();
  const [mail, setMail] = useState(false);
  const one = useQuery({ ...oneCase(sought.case ?? ""), enabled: sought.case !== undefined }).data;
  const mailId = sought.case ? one?.mail.id : sought.mail;

  const remove = (gone: Case[]) => {
    if (gone.length === 0) return;
    const ids = new Set(gone.map(({ id }) => id));
    const isGone = (row: Row) => {
      const of = row.kind === "item" ? [row.item.caseId] : casesOf(row).map(({ id }) => id);
      return of.length > 0 && of.every((id) => ids.has(id));
    };
    const last = rows.findLastIndex(isGone);
    const next =
      rows.slice(last + 1).find((row) => row.kind === "mail") ??
      rows.slice(0, Math.max(0, last)).findLast((row) => row.kind === "mail" && !isGone(row));
    if (chosen && rows.some((row) => row.key === chosen && isGone(row))) {
      go((next && addressOf(next)) ?? NOTHING, { replace: true });
    }
    setSelected(new Set([...selected].filter((id) => !ids.has(id))));
    verbs.remove(gone);
    focusSoon(next?.key);
  };
  const removeItem = (item: Item) => {
    verbs.removeItem(item);
    go(toCase(item.caseId), { replace: true });
    focusSoon(`case ${item.caseId}`);
  };
  const removeSelected = () => {
    const known = cases.cases?.filter(({ id }) => selected.has(id)) ?? [];
    remove(known);
    setSelected(new Set());
  };
  const here = () => rows.find(({ key }) => key === (focusedRow() ?? chosen));
  const close = () => {
    go(NOTHING);
    focusSoon(chosen);
  };
  usePaneKeys({
    x: () => select(here()),
    m: () => chosen && setMail(!mail),
    Delete: () => {
      const row = here();
      if (selected.size > 0) removeSelected();
      else if (row?.kind === "item") removeItem(row.item);
      else remove(casesOf(row));
    },
    Escape: () => (selected.size > 0 ? setSelected(new Set()) : chosen && close()),
  });
  const { onOpening, onShown } = useFocusOnOpening(chosen);
  const open = useCallback(
    (row: Row) => {
      fold(row, "open");
      onOpening(row.key);
    },
    [fold, onOpening],
  );
  const onFold = useCallback((row: Row) => fold(row, "toggle"), [fold]);

  return (
    <div className={styles.page} data-reading={chosen !== undefined || undefined}>
      <div className={styles.bar}>
        <Title order={1} tabIndex={-1}>
          Results
        </Title>
        <Button
          className={styles.back}
          size="compact-sm"
          variant="subtle"
          leftSection={<IconArrowLeft size={15} />}
          onClick={close}
        >
          Back to the list
        </Button>
        <SearchBox sought={sought} go={go} />
        <Notices />
      </div>
      <div className={styles.panes}>
        <section className={styles.left} aria-label="List">
          <ListHead
            sought={sought}
            go={go}
            cases={cases}
            selected={selected.size}
            onDeleteSelected={removeSelected}
            onDeleteAll={() => {
              verbs.removeAll(sought);
              setSelected(new Set());
              go(NOTHING, { replace: true });
            }}
            onClear={() => setSelected(new Set())}
          />
          <Tree
            rows={rows}
            cases={cases}
            chosen={chosen}
            selected={selected}
            list={JSON.stringify({ ...sought, ...NOTHING })}
            isFiltered={Boolean(sought.state ?? sought.director ?? sought.q ?? sought.workspace)}
            onReach={reach}
            onOpen={open}
            onFold={onFold}
            onSelect={select}
          />
        </section>
        <section className={styles.right} aria-label="Result">
          {chosen ? (
            <Pane
              sought={sought}
              mailId={mailId}
              mail={mail}
              onShown={onShown}
              onMail={() => setMail(!mail)}
              onDelete={remove}
              onRemove={removeItem}
            />
          ) : (
            <Text c="dimmed" size="sm" className={styles.nothing}>
              {rows.length > 0 && "Choose a mail to see what came of it."}
            </Text>
          )}
        </section>
      </div>
    </div>
  );
}

function Notices() {
  const navigate = useNavigate();
  return (
    <Tooltip label="Desktop notifications">
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label="Desktop notifications"
        onClick={() => void navigate({ to: "/settings/notifications" })}
      >
        <IconBell size={18} />
      </ActionIcon>
    </Tooltip>
  );
}

/** The row that has the focus. */
const focusedRow = () => document.activeElement?.closest<HTMLElement>("[data-key]")?.dataset.key;

/** Once the rows have moved up. */
function focusSoon(key: string | undefined) {
  const row = () => document.querySelector<HTMLElement>(`[data-key="${CSS.escape(key ?? "")}"]`);
  if (key) window.setTimeout(() => row()?.focus());
}

/** A keyboard goes on from what was opened; while it goes along the tree, it stays there. */
function useFocusOnOpening(chosen: string | undefined) {
  const wanted = useRef(false);
  const onOpening = useCallback(
    (key: string) => {
      if (key === chosen) document.getElementById("result-title")?.focus({ preventScroll: true });
      else wanted.current = true;
    },
    [chosen],
  );
  const onShown = useCallback((title: HTMLElement) => {
    if (wanted.current) title.focus({ preventScroll: true });
    wanted.current = false;
  }, []);
  return { onOpening, onShown };
}

/** Keys of the page; what they do may change, the table may not. */
function usePaneKeys(keys: Record<"x" | "m" | "Delete" | "Escape", () => unknown>) {
  const latest = useRef(keys);
  latest.current = keys;
  const bound = useMemo(
    () => ({
      x: () => void latest.current.x(),
      m: () => void latest.current.m(),
      Delete: () => void latest.current.Delete(),
      Escape: () => void latest.current.Escape(),
    }),
    [],
  );
  usePageKeys(bound);
}
