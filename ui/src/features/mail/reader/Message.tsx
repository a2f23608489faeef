import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useEffectEvent, useState } from "react";

import { Loaded, Loading } from "@/components/states";

import { MessageActions } from "./MessageActions";
import { MessageBody } from "./MessageBody";
import { MessageHead } from "./MessageHead";
import { Attachments } from "./Attachments";
import styles from "./Message.module.css";
import { Routed } from "./Routed";
import { Thread } from "./Thread";
import { type Filing, oneMail } from "./useFiling";
import type { Place } from "./usePlace";
import type { Folder, Mail } from "./words";

const LOOKED_AT = 1200;

interface Props {
  id: string;
  place: Place;
  filing: Filing;
  folders: Folder[];
  /** Puts it away, and goes on with the next. */
  onArchive: () => void;
  /** Goes to another mail of its thread. */
  onOpen: (id: string) => void;
}

/** One mail, with all that is known about it. */
export function Message(props: Props) {
  const query = useQuery(oneMail(props.id));
  // It stays unfolded while one goes along it.
  const [thread, setThread] = useState<string>();
  return (
    <Loaded query={query} loading={<Loading rows={2} />}>
      {(mail) => (
        <Opened key={mail.id} mail={mail} {...props}>
          <Thread
            mail={mail}
            opened={thread === mail.threadId}
            onToggle={() => setThread(thread === mail.threadId ? undefined : mail.threadId)}
            onOpen={props.onOpen}
          />
        </Opened>
      )}
    </Loaded>
  );
}

interface OpenedProps extends Props {
  mail: Mail;
  children: ReactNode;
}

function Opened({ mail, place, filing, folders, onArchive, children }: OpenedProps) {
  const account = place.accounts?.find(({ id }) => id === mail.accountId);
  const mayMark = place.mayChange(mail) && (account?.permissions.includes("organise") ?? false);
  useLookedAt(mail, mayMark, filing);
  return (
    <article className={styles.message} aria-labelledby="mail-subject">
      <MessageHead mail={mail} account={account}>
        <MessageActions
          mail={mail}
          place={place}
          filing={filing}
          folders={folders}
          onArchive={onArchive}
        />
      </MessageHead>
      {children}
      <Attachments mail={mail} />
      <MessageBody mail={mail} />
      <Routed mail={mail} />
    </article>
  );
}

/** What was open for a moment counts as read, once; marked unread after that, it stays so. */
function useLookedAt(mail: Mail, mayMark: boolean, filing: Filing) {
  const [wasUnread] = useState(!mail.seen);
  const see = useEffectEvent(() => filing.see(mail));
  useEffect(() => {
    if (!wasUnread || !mayMark) return;
    const timer = window.setTimeout(() => see(), LOOKED_AT);
    return () => window.clearTimeout(timer);
  }, [mail.id, wasUnread, mayMark]);
}
