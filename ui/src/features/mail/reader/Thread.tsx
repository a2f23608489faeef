import { Link } from "@tanstack/react-router";

import { api } from "@/api/client";
import { Unfold } from "@/components/Unfold";
import { Visible } from "@/features/gate/shared/Untrusted";

import styles from "./Thread.module.css";
import { type Mail, senderOf, shortTime, subjectOf } from "./words";

interface Props {
  mail: Mail;
  opened: boolean;
  onToggle: () => void;
  /** Someone wants to read one of them. */
  onOpen: (id: string) => void;
}

/** The other mails of its thread, behind a button. */
export function Thread({ mail, opened, onToggle, onOpen }: Props) {
  const { data } = api.useQuery("get", "/api/v1/mail/threads/{mail_thread_id}", {
    params: { path: { mail_thread_id: mail.threadId } },
  });
  const others = data?.items.filter(({ id }) => id !== mail.id) ?? [];
  if (others.length === 0) return null;
  const label = `${others.length === 1 ? "1 other mail" : `${others.length} other mails`} of this thread`;
  return (
    <Unfold look="box" label={label} opened={opened} onToggle={onToggle}>
      <ul role="list" aria-label="Thread" className={styles.others}>
        {others.map((other) => (
          <li key={other.id} data-unread={!other.seen || undefined}>
            <Link
              to="/mail"
              search={(before) => ({ ...before, mail: other.id })}
              resetScroll={false}
              className={styles.other}
              onClick={() => onOpen(other.id)}
            >
              <span className={styles.writer} dir="auto">
                <Visible>{senderOf(other)}</Visible>
              </span>
              <span className={styles.snippet} dir="auto">
                <Visible>{other.snippet || subjectOf(other)}</Visible>
              </span>
              <time dateTime={other.date} className={styles.time}>
                {shortTime(other.date)}
              </time>
            </Link>
          </li>
        ))}
      </ul>
    </Unfold>
  );
}
