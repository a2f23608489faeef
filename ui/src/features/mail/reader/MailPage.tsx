import { ActionIcon, Button, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { IconArrowLeft, IconPencil } from "@tabler/icons-react";
import { useSearch } from "@tanstack/react-router";
import { useCallback, useEffect, useRef } from "react";

import { Failed } from "@/components/states";
import { useTitle } from "@/components/useTitle";

import { Composer } from "./compose/Composer";
import type { Kind } from "./compose/letters";
import { Folders } from "./Folders";
import { ListHead } from "./ListHead";
import { MailList } from "./MailList";
import { Message } from "./Message";
import styles from "./MailPage.module.css";
import { SearchBox } from "./SearchBox";
import { oneMail, useFiling } from "./useFiling";
import { useMails } from "./useMails";
import { useFolders, usePlace } from "./usePlace";
import { focusedMail, useReaderKeys } from "./useReaderKeys";

const KINDS: Kind[] = ["new", "reply", "reply-all"];

/** Mail of all accounts: folders, a list, and the mail that is open. On a phone, one at a time. */
export function MailPage() {
  useTitle("Mail");
  const place = usePlace();
  const { search, workspaceId, usable, mayChange, go, open } = place;
  const { dialog } = useSearch({ strict: false });
  const mails = useMails(place);
  const folders = useFolders(workspaceId).data?.items ?? [];
  const filing = useFiling(workspaceId);
  const mail = useQuery({ ...oneMail(search.mail ?? ""), enabled: search.mail !== undefined }).data;
  const items = mails.items ?? [];
  const mayCompose = usable.length > 0;
  const asked = KINDS.find((kind) => kind === dialog);
  const mayAnswer = asked === "new" || !mail ? mayCompose : mayChange(mail);
  const pick = () => items.find(({ id }) => id === (focusedMail() ?? search.mail)) ?? mail;

  const archive = () => {
    const line = pick();
    if (!line || !mayChange(line)) return;
    const at = items.findIndex(({ id }) => id === line.id);
    const next = items[at + 1] ?? items[at - 1];
    if (search.mail === line.id) {
      // On a phone no list is in sight: the keyboard goes on from the next mail itself.
      if (at >= 0 && next && !rowOf(next.id)?.checkVisibility()) focusOnOpening(next.id);
      open(at >= 0 ? next?.id : undefined, { replace: true });
    }
    if (at >= 0) focusSoon(next?.id);
    filing.archive(line);
  };
  const close = () => {
    if (!search.mail) return;
    open(undefined);
    focusSoon(search.mail);
  };
  const answer = (kind: Kind) => {
    const line = pick();
    if (line && mayChange(line)) go({ mail: line.id, dialog: kind });
  };
  useReaderKeys({
    e: archive,
    r: () => answer("reply"),
    R: () => answer("reply-all"),
    u: () => {
      const line = pick();
      if (line && mayChange(line)) filing.mark(line, { seen: false });
    },
    c: () => mayCompose && go({ dialog: "new" }),
    Escape: close,
  });
  const focusOnOpening = useFocusOnOpening(search.mail, mail !== undefined);

  return (
    <div className={styles.page} data-reading={search.mail !== undefined || undefined}>
      <div className={styles.bar}>
        <Title order={1} tabIndex={-1}>
          Mail
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
        <SearchBox place={place} />
        {mayCompose && <NewMail onClick={() => go({ dialog: "new" })} />}
      </div>
      {place.problem ? (
        <Failed error={place.problem} retry={place.retry} />
      ) : (
        <div className={styles.panes}>
          <Folders place={place} folders={folders} />
          <section className={styles.middle} aria-label="List">
            <ListHead place={place} mails={mails} folders={folders} />
            <MailList mails={mails} place={place} onOpen={focusOnOpening} />
          </section>
          <section className={styles.right} aria-label="Mail">
            {search.mail ? (
              <Message
                id={search.mail}
                place={place}
                filing={filing}
                folders={folders}
                onArchive={archive}
                onOpen={focusOnOpening}
              />
            ) : (
              <Text c="dimmed" size="sm" className={styles.nothing}>
                {items.length > 0 && "Choose a mail to read it here."}
              </Text>
            )}
          </section>
        </div>
      )}
      {place.accounts && (
        <Composer
          kind={mayAnswer ? (asked ?? null) : null}
          mail={mail}
          workspaceId={workspaceId}
          accounts={usable}
          onOpen={(kind) => go({ dialog: kind })}
          onClose={() => go({ dialog: undefined }, { replace: true })}
        />
      )}
    </div>
  );
}

const rowOf = (id: string) =>
  document.querySelector<HTMLElement>(`[data-mail="${CSS.escape(id)}"]`);

/** Once the rows have moved up. */
function focusSoon(id: string | undefined) {
  if (id) window.setTimeout(() => rowOf(id)?.focus());
}

/** A keyboard goes on from what was opened; while it goes along the list, it stays there. */
function useFocusOnOpening(id: string | undefined, isThere: boolean) {
  const wanted = useRef(false);
  const focus = () => document.getElementById("mail-subject")?.focus({ preventScroll: true });
  useEffect(() => {
    if (!wanted.current || !isThere) return;
    wanted.current = false;
    focus();
  }, [id, isThere]);
  return useCallback(
    (opened: string) => {
      if (opened === id) focus();
      else wanted.current = true;
    },
    [id],
  );
}

function NewMail({ onClick }: { onClick: () => void }) {
  return (
    <>
      <Button visibleFrom="sm" leftSection={<IconPencil size={16} />} onClick={onClick}>
        New mail
      </Button>
      <ActionIcon hiddenFrom="sm" size={36} aria-label="New mail" onClick={onClick}>
        <IconPencil size={18} />
      </ActionIcon>
    </>
  );
}
