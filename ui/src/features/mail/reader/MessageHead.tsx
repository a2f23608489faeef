import { Text, Title, Tooltip } from "@mantine/core";
import { IconAlertTriangle, IconUserCheck, IconUserQuestion } from "@tabler/icons-react";
import type { ReactNode } from "react";

import { Tag } from "@/components/StateMark";
import { Untrusted, Visible } from "@/features/gate/shared/Untrusted";

import styles from "./MessageHead.module.css";
import { type Account, DMARC, exactTime, type Mail, senderOf, subjectOf } from "./words";

interface Props {
  mail: Mail;
  account: Account | undefined;
  children: ReactNode;
}

/** Who wrote what to whom, and how far that can be believed. */
export function MessageHead({ mail, account, children }: Props) {
  const { sender, sentAt, date } = mail;
  return (
    <header className={styles.head}>
      <div className={styles.heading}>
        <Title order={2} id="mail-subject" tabIndex={-1} className={styles.title} dir="auto">
          <Untrusted most={300}>{subjectOf(mail)}</Untrusted>
        </Title>
        {children}
      </div>
      <div className={styles.from}>
        <span dir="auto">
          <Text span fw={600}>
            <Visible>{senderOf(mail)}</Visible>
          </Text>{" "}
          {sender.name && (
            <Text span c="dimmed" size="sm">
              <Visible>{`<${sender.address}>`}</Visible>
            </Text>
          )}
        </span>
        <Tooltip
          label={sentAt ? `The mail says ${exactTime(sentAt)}` : "The mail does not say when"}
        >
          <time dateTime={date} className={styles.time}>
            {exactTime(date)}
          </time>
        </Tooltip>
      </div>
      <People kind="To" people={mail.to} />
      <People kind="Cc" people={mail.cc} />
      <People kind="Bcc" people={mail.bcc} />
      <People kind="Answers go to" people={mail.replyTo} />
      <div className={styles.facts}>
        {account && <Tag>{account.label}</Tag>}
        {mail.folders.map(({ id, title }) => (
          <Tag key={id}>{title}</Tag>
        ))}
        {mail.automatic && <Tag>written by a program</Tag>}
      </div>
      <Trust mail={mail} />
      {mail.hidden && (
        <Note>
          This mail holds text that no reader would have seen, such as white words on white. Its
          plain text leaves that out, and agents are not shown it.
        </Note>
      )}
      {mail.fault && <Note>{mail.fault}</Note>}
    </header>
  );
}

const SHOWN = 4;

function People({ kind, people }: { kind: string; people: Mail["to"] }) {
  if (people.length === 0) return null;
  const names = people.slice(0, SHOWN).map(({ name, address }) => name || address);
  const more = people.length - SHOWN;
  const all = people.map(({ address }) => address).join(", ");
  return (
    <Text size="sm" c="dimmed" title={all.slice(0, 1000)} className={styles.people}>
      {kind}{" "}
      <span dir="auto">
        <Visible>{names.join(", ").slice(0, 400)}</Visible>
      </span>
      {more > 0 && ` and ${more} more`}
    </Text>
  );
}

function Trust({ mail }: { mail: Mail }) {
  const known = mail.label === "contact";
  const Icon = known ? IconUserCheck : IconUserQuestion;
  return (
    <div className={styles.note} data-kind="trust">
      <Icon size={16} stroke={1.8} aria-hidden />
      <span>
        <strong>{known ? "Someone you know." : "Counts as a stranger."}</strong> {mail.labelWhy}{" "}
        {!mail.labelWhy.includes("DMARC") && (
          <Text span size="sm" c="dimmed">
            {DMARC[mail.dmarc]}.
          </Text>
        )}
      </span>
    </div>
  );
}

function Note({ children }: { children: ReactNode }) {
  return (
    <div className={styles.note} role="note">
      <IconAlertTriangle size={16} stroke={1.8} aria-hidden />
      <span>{children}</span>
    </div>
  );
}
