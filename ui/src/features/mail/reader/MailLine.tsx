import { VisuallyHidden } from "@mantine/core";
import {
  IconArrowBackUp,
  IconFlagFilled,
  IconPaperclip,
  IconUserCheck,
  IconUserQuestion,
} from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { memo } from "react";

import { Visible } from "@/features/gate/shared/Untrusted";

import styles from "./MailLine.module.css";
import { type Hit, type Line, senderOf, shortTime, subjectOf } from "./words";

export const LINE_HEIGHT = 76;

interface Props {
  line: Line | Hit;
  place: number;
  total: number;
  isOpen: boolean;
  /** The keyboard has come to it. */
  onReach: (id: string) => void;
  onOpen: (id: string) => void;
}

/** One mail of a list. */
export const MailLine = memo(function MailLine(props: Props) {
  const { line, place, total, isOpen, onReach, onOpen } = props;
  const hit = "markedSubject" in line ? line : null;
  return (
    <li
      className={styles.line}
      style={{ top: place * LINE_HEIGHT, height: LINE_HEIGHT }}
      data-row
      data-mail={line.id}
      data-open={isOpen || undefined}
      data-unread={!line.seen || undefined}
      aria-setsize={total}
      aria-posinset={place + 1}
      tabIndex={-1}
      onFocus={({ target, currentTarget }) => {
        if (target === currentTarget) onReach(line.id);
      }}
    >
      <Link
        to="/mail"
        search={(before) => ({ ...before, mail: line.id })}
        resetScroll={false}
        className={styles.link}
        aria-current={isOpen || undefined}
        onClick={() => onOpen(line.id)}
      >
        <span className={styles.top}>
          {!line.seen && <VisuallyHidden>Unread, </VisuallyHidden>}
          <span className={styles.sender} dir="auto">
            <Visible>{senderOf(line)}</Visible>
          </span>
          <Marks line={line} />
          <time dateTime={line.date} className={styles.time}>
            {shortTime(line.date)}
          </time>
        </span>
        <span className={styles.subject} dir="auto">
          {hit && line.subject ? (
            <Pieces pieces={hit.markedSubject} />
          ) : (
            <Visible>{subjectOf(line)}</Visible>
          )}
        </span>
        <span className={styles.snippet} dir="auto">
          {hit ? <Pieces pieces={hit.markedSnippet} /> : <Visible>{line.snippet}</Visible>}
        </span>
      </Link>
    </li>
  );
});

function Marks({ line }: { line: Line }) {
  const Trust = line.label === "contact" ? IconUserCheck : IconUserQuestion;
  const who = line.label === "contact" ? "from someone you know" : "from a stranger";
  return (
    <span className={styles.marks}>
      {line.answered && <IconArrowBackUp size={14} role="img" aria-label="answered" />}
      {line.flagged && <IconFlagFilled size={13} role="img" aria-label="flagged" />}
      {line.hasAttachment && <IconPaperclip size={14} role="img" aria-label="with attachments" />}
      <Trust size={14} role="img" aria-label={who} title={who} />
    </span>
  );
}

/** Words with what was looked for among them; never HTML. */
function Pieces({ pieces }: { pieces: Hit["markedSubject"] }) {
  return pieces.map(({ text, found }, index) =>
    found ? (
      <mark key={index} className={styles.found}>
        <Visible>{text}</Visible>
      </mark>
    ) : (
      <Visible key={index}>{text}</Visible>
    ),
  );
}
