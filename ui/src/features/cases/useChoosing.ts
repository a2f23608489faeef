import { useCallback, useEffect, useMemo, useRef, useState } from "react";

import { casesOf, type Choice, type Row, rowsOf } from "./tree/tree";
import { type Cases, useItems } from "./useCases";
import { choiceOf, type Go, type Sought, toCase, toItem, toMail } from "./useSought";

/** What is unfolded in the tree, what is chosen in it, and what is selected for something to be done with. */
export function useChoosing(sought: Sought, go: Go, cases: Cases) {
  const [opened, setOpened] = useState<ReadonlySet<Choice>>(new Set());
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const chosen = choiceOf(sought);
  const known = cases.cases;
  const parent = known?.find(({ id }) => id === sought.case);

  // What the address chooses is unfolded, down to it.
  const { case: one, item } = sought;
  const mail = parent?.mail.id;
  useEffect(() => {
    if (!one || !mail) return;
    setOpened(
      (old) => new Set([...old, `mail ${mail}`, ...(item ? [`case ${one}`] : [])] as Choice[]),
    );
  }, [one, item, mail]);

  const unfolded = known?.filter(({ id, mail: { id: of } }) =>
    [`mail ${of}`, `case ${id}`].every((key) => opened.has(key as Choice)),
  );
  const items = useItems(unfolded?.map(({ id }) => id) ?? []);
  const rows = useMemo(() => rowsOf({ cases: known ?? [], opened, items }), [known, opened, items]);

  const fold = useCallback((row: Row, how: "toggle" | "open") => {
    if (row.kind !== "mail" && row.kind !== "case") return;
    const keys = [row.key];
    // A mail that one director alone worked on unfolds to its items at once.
    if (row.kind === "mail" && row.cases.length === 1) keys.push(`case ${row.cases[0].id}`);
    const closes = how === "toggle" && row.opened;
    setOpened((old) => {
      const next = new Set(old);
      for (const key of closes ? [row.key] : keys) {
        if (closes) next.delete(key);
        else next.add(key);
      }
      return next;
    });
  }, []);
  const select = useCallback((row: Row | undefined) => {
    const ids = casesOf(row).map(({ id }) => id);
    setSelected((old) => {
      const all = ids.every((id) => old.has(id));
      return new Set(all ? [...old].filter((id) => !ids.includes(id)) : [...old, ...ids]);
    });
  }, []);

  const latest = useRef({ go, isReading: chosen !== undefined });
  latest.current = { go, isReading: chosen !== undefined };
  // While something is shown beside the tree, the keyboard shows what it comes to.
  const reach = useCallback((row: Row) => {
    const { go: goTo, isReading } = latest.current;
    const to = addressOf(row);
    if (isReading && to) goTo(to, { replace: true });
  }, []);
  return { rows, chosen, selected, setSelected, fold, select, reach, parent };
}

/** Where a row leads. */
export function addressOf(row: Row) {
  if (row.kind === "mail") return toMail(row.cases[0].mail.id);
  if (row.kind === "case") return toCase(row.one.id);
  return row.kind === "item" ? toItem(row.item.caseId, row.item.id) : undefined;
}
