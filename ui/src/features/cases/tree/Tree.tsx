import { type KeyboardEvent, useEffect, useMemo, useRef } from "react";

import { Empty, Failed, Loading } from "@/components/states";
import { moveAlongRows } from "@/keyboard/focus";

import type { Cases } from "../useCases";
import { casesOf, type Choice, HEIGHTS, type Row, topsOf } from "./tree";
import styles from "./Tree.module.css";
import { type RowHandlers, TreeRow } from "./TreeRow";
import { useRowsInSight } from "./useRowsInSight";

const NEAR = 20;

interface Props extends RowHandlers {
  rows: Row[];
  cases: Cases;
  chosen: Choice | undefined;
  selected: ReadonlySet<string>;
  /** Changes where another list is shown: it begins at its top. */
  list: string;
  isFiltered: boolean;
}

/** Mails, their directors, their items. Only the rows in sight are on the page, so that thousands scroll as well as ten. */
export function Tree({ rows, cases, chosen, selected, list, isFiltered, ...handlers }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const tops = useMemo(() => topsOf(rows), [rows]);
  const { first, last } = useRowsInSight(frame, tops);
  const { more } = cases;
  useEffect(() => {
    if (last >= rows.length - NEAR) more();
  });
  useEffect(() => {
    frame.current?.scrollTo({ top: 0 });
  }, [list]);

  const at = rows.findIndex(({ key }) => key === chosen);
  const shown = rows.slice(first, last).map((row, index) => ({ row, place: first + index }));
  const current = rows[at];
  // The chosen one stays on the page wherever one has scrolled: the keyboard goes on from it.
  if (current && (at < first || at >= last)) shown.push({ row: current, place: at });
  const next = at < 0 ? first : at;

  const onKey = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const key = (event.target as Element).closest<HTMLElement>("[data-key]")?.dataset.key;
    const row = rows.find((one) => one.key === key);
    const act = row && KEYS[event.key];
    if (!act) return;
    event.preventDefault();
    act(row, handlers, rows);
  };
  return (
    // The rows have the focus; the keys are heard here for all of them.
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      className={styles.frame}
      ref={frame}
      onKeyDown={onKey}
      data-stale={cases.isStale || undefined}
      data-selecting={selected.size > 0 || undefined}
    >
      {cases.error ? (
        <div className={styles.inset}>
          <Failed error={cases.error} retry={cases.refetch} />
        </div>
      ) : !cases.cases ? (
        <Loading rows={8} />
      ) : rows.length === 0 ? (
        <div className={styles.inset}>
          <Nothing isFiltered={isFiltered} />
        </div>
      ) : (
        <div
          role="tree"
          aria-label="Results"
          aria-multiselectable={false}
          className={styles.tree}
          style={{ height: tops.at(-1) }}
        >
          {shown.map(({ row, place }) => (
            <TreeRow
              key={row.key}
              row={row}
              top={tops[place] ?? 0}
              height={HEIGHTS[row.kind]}
              isChosen={place === at}
              isNext={place === next}
              selected={selectedOf(row, selected)}
              {...handlers}
            />
          ))}
        </div>
      )}
    </div>
  );
}

function selectedOf(row: Row, selected: ReadonlySet<string>): "all" | "some" | "none" {
  if (selected.size === 0) return "none";
  const cases = casesOf(row);
  const count = cases.filter(({ id }) => selected.has(id)).length;
  if (count === 0) return "none";
  return count === cases.length ? "all" : "some";
}

type Act = (row: Row, handlers: RowHandlers, rows: Row[]) => void;

const isFolded = (row: Row) => "opened" in row && !row.opened;

/** As trees are walked everywhere: sideways opens and closes, and goes in and out. */
const KEYS: Record<string, Act> = {
  ArrowDown: () => moveAlongRows(1),
  ArrowUp: () => moveAlongRows(-1),
  ArrowRight: (row, { onFold }) => (isFolded(row) ? onFold(row) : moveAlongRows(1)),
  ArrowLeft: (row, { onFold }, rows) => {
    if ("opened" in row && row.opened) return onFold(row);
    const outer = rows
      .slice(0, rows.indexOf(row))
      .findLast(({ kind }) => kind === (row.kind === "item" ? "case" : "mail"));
    document.querySelector<HTMLElement>(`[data-key="${outer?.key}"]`)?.focus();
  },
};

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) {
    return <Empty title="Nothing is like that">Choose another state, or fewer words.</Empty>;
  }
  return (
    <Empty title="No results yet">
      Make a director under Agents and a filter that gives it mail. What it makes of each mail
      stands here.
    </Empty>
  );
}
