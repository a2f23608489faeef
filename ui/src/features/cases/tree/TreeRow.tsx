import { Checkbox } from "@mantine/core";
import {
  IconBraces,
  IconChevronDown,
  IconChevronRight,
  IconFile,
  IconFileText,
  IconFileTypePdf,
  IconPhoto,
  IconTable,
  IconWorld,
} from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { memo, type ReactNode } from "react";

import { StateMark } from "@/components/StateMark";
import { Visible } from "@/features/gate/shared/Untrusted";
import { shortTime } from "@/features/mail/reader/words";

import { toCase, toItem, toMail } from "../useSought";
import { senderOf, shapeInWords, shapeOf, STATES, stateOf, subjectOf, titleOf } from "../words";
import type { Row } from "./tree";
import styles from "./TreeRow.module.css";

export const SHAPE_ICONS = {
  markdown: IconFileText,
  text: IconFileText,
  html: IconWorld,
  json: IconBraces,
  picture: IconPhoto,
  csv: IconTable,
  pdf: IconFileTypePdf,
  file: IconFile,
};

export interface RowHandlers {
  /** The keyboard has come to it. */
  onReach: (row: Row) => void;
  /** Enter, or a click. */
  onOpen: (row: Row) => void;
  onFold: (row: Row) => void;
  onSelect: (row: Row) => void;
}

interface Props extends RowHandlers {
  row: Row;
  top: number;
  height: number;
  isChosen: boolean;
  /** Tab comes to this one of all rows. */
  isNext: boolean;
  selected: "all" | "some" | "none";
}

/** One mail, director or item of the tree. */
export const TreeRow = memo(function TreeRow(props: Props) {
  const { row, top, height, isChosen, isNext, selected } = props;
  const { onReach, onOpen, onFold, onSelect } = props;
  const place = { top, height };
  if (row.kind === "note") {
    return (
      <div className={styles.note} style={place} role="none">
        {row.text}
      </div>
    );
  }
  const Chevron = "opened" in row && row.opened ? IconChevronDown : IconChevronRight;
  return (
    <div
      role="treeitem"
      className={styles.row}
      style={place}
      data-row
      data-key={row.key}
      data-kind={row.kind}
      data-open={isChosen || undefined}
      aria-label={nameOf(row)}
      aria-level={LEVELS[row.kind]}
      aria-setsize={row.of}
      aria-posinset={row.at}
      aria-selected={isChosen}
      aria-expanded={"opened" in row ? row.opened : undefined}
      tabIndex={isNext ? 0 : -1}
      onFocus={({ target, currentTarget }) => {
        if (target === currentTarget) onReach(row);
      }}
    >
      {row.kind !== "item" && (
        <>
          <button
            type="button"
            className={styles.fold}
            aria-hidden
            tabIndex={-1}
            onClick={() => onFold(row)}
          >
            <Chevron size={15} stroke={1.8} />
          </button>
          <Checkbox
            size="xs"
            className={styles.select}
            data-on={selected !== "none" || undefined}
            aria-label={`Select ${nameOf(row)}`}
            tabIndex={-1}
            checked={selected === "all"}
            indeterminate={selected === "some"}
            onChange={() => onSelect(row)}
          />
        </>
      )}
      <Target row={row} onOpen={() => onOpen(row)} />
    </div>
  );
});

const LEVELS = { mail: 1, case: 2, item: 3 };

/** What a screen reader says of a row. */
function nameOf(row: Exclude<Row, { kind: "note" }>): string {
  switch (row.kind) {
    case "mail": {
      const [newest] = row.cases;
      const state = STATES[stateOf(row.cases)].words.toLowerCase();
      return `${subjectOf(newest)}, from ${senderOf(newest)}, ${state}`;
    }
    case "case":
      return `${row.one.directorName}, ${STATES[row.one.state].words.toLowerCase()}`;
    case "item":
      return `${titleOf(row.item)}, ${shapeInWords(row.item).toLowerCase()}`;
  }
}

function Target({ row, onOpen }: { row: Exclude<Row, { kind: "note" }>; onOpen: () => void }) {
  switch (row.kind) {
    case "mail": {
      const [newest] = row.cases;
      return (
        <To search={toMail(newest.mail.id)} onOpen={onOpen}>
          <span className={styles.line}>
            <span className={styles.strong} dir="auto">
              <Visible>{senderOf(newest)}</Visible>
            </span>
            <time dateTime={newest.createdAt} className={styles.quiet}>
              {shortTime(newest.createdAt)}
            </time>
          </span>
          <span className={styles.line}>
            <span className={styles.words} dir="auto">
              <Visible>{subjectOf(newest)}</Visible>
            </span>
            <Mark state={stateOf(row.cases)} />
          </span>
        </To>
      );
    }
    case "case":
      return (
        <To search={toCase(row.one.id)} onOpen={onOpen}>
          <span className={styles.line}>
            <span className={styles.words}>{row.one.directorName}</span>
            <span className={styles.quiet}>{row.one.items > 0 && row.one.items}</span>
            <Mark state={row.one.state} />
          </span>
        </To>
      );
    case "item": {
      const Icon = SHAPE_ICONS[shapeOf(row.item)];
      return (
        <To search={toItem(row.item.caseId, row.item.id)} onOpen={onOpen}>
          <span className={styles.line}>
            <Icon size={15} stroke={1.6} aria-hidden className={styles.icon} />
            <span className={styles.words} dir="auto">
              <Visible>{titleOf(row.item)}</Visible>
            </span>
          </span>
        </To>
      );
    }
  }
}

function Mark({ state }: { state: keyof typeof STATES }) {
  const { state: shape, words } = STATES[state];
  return (
    <span className={styles.mark} data-state={state}>
      <StateMark state={shape}>{words}</StateMark>
    </span>
  );
}

interface ToProps {
  search: ReturnType<typeof toItem> | ReturnType<typeof toCase> | ReturnType<typeof toMail>;
  onOpen: () => void;
  children: ReactNode;
}

function To({ search, onOpen, children }: ToProps) {
  return (
    <Link
      to="/results"
      search={(before) => ({ ...before, ...search })}
      resetScroll={false}
      preload={false}
      className={styles.link}
      tabIndex={-1}
      onClick={onOpen}
    >
      {children}
    </Link>
  );
}
