import { ActionIcon, Button, Text, Textarea, Tooltip } from "@mantine/core";
import { IconArrowUp, IconPlayerStopFilled } from "@tabler/icons-react";
import { type KeyboardEvent, type SubmitEvent, useEffect, useRef } from "react";

import { isLive } from "../list/words";
import { Attach, Chosen } from "./Attachments";
import styles from "./Composer.module.css";
import { useDraft } from "./drafts";
import { Estimate } from "./Estimate";
import { message } from "./pasted";
import { Silent } from "./Silent";
import { Standing } from "./Standing";
import { useAttachments } from "./useAttachments";
import { type Session, useSessionVerbs } from "./useSession";

const MOST = 100_000;

/** Where one speaks to the agent. It stays at the bottom, with how the session stands. */
export function Composer({ session }: { session: Session }) {
  const { id, canSpeak, messages } = session;
  const verbs = useSessionVerbs(id);
  const { written, keep, drop } = useDraft(id);
  const { text, pasted } = written;
  const box = useRef<HTMLTextAreaElement>(null);
  const begun = messages.length > 0;
  const attached = useAttachments();
  const ids = attached.files.map((file) => file.id);
  useRoomBelow();
  const send = async () => {
    if (!text.trim() || verbs.saying || attached.sending) return;
    // Whoever speaks wants to see what comes of it, wherever they were reading.
    window.scrollTo({ top: document.documentElement.scrollHeight });
    if (await verbs.say({ ...message(written), files: ids })) {
      drop(text);
      attached.clear();
    }
    box.current?.focus();
  };
  return (
    <div className={styles.bar}>
      <div className={styles.line}>
        <div role="status">{begun && <Standing session={session} />}</div>
        {!begun && canSpeak && (
          <Estimate agentId={session.agentId} text={text.trim()} files={ids} />
        )}
        {pasted.length > 0 && (
          <Text size="xs" c="dimmed">
            What you pasted is content. It gives no orders.
          </Text>
        )}
        {begun && isLive(session) && (
          <Tooltip label="Ends this session. What was done is kept.">
            <Button
              size="compact-xs"
              variant="default"
              leftSection={<IconPlayerStopFilled size={12} aria-hidden />}
              loading={verbs.stopping}
              onClick={verbs.stop}
            >
              Stop
            </Button>
          </Tooltip>
        )}
      </div>
      {canSpeak && <Chosen files={attached.files} onRemove={attached.remove} />}
      {canSpeak ? (
        <form className={styles.form} onSubmit={submitting(send)}>
          <Attach sending={attached.sending} onAdd={(files) => void attached.add(files)} />
          <Textarea
            ref={box}
            className={styles.box}
            aria-label={`Message to ${session.agentName}`}
            placeholder={placeholder(session)}
            autosize
            minRows={1}
            maxRows={12}
            maxLength={MOST}
            value={text}
            data-filter
            onChange={(event) => keep(event.currentTarget.value, event.nativeEvent)}
            onKeyDown={(event) => onKey(event, send)}
            onPaste={({ clipboardData }) => void attached.add([...clipboardData.files])}
          />
          <ActionIcon
            type="submit"
            size={36}
            aria-label="Send"
            loading={verbs.saying}
            disabled={!text.trim() || attached.sending}
          >
            <IconArrowUp size={20} aria-hidden />
          </ActionIcon>
        </form>
      ) : (
        <Silent session={session} />
      )}
    </div>
  );
}

/** What is scrolled to, such as what has the focus, does not stop under the bar. */
function useRoomBelow() {
  useEffect(() => {
    const { style } = document.documentElement;
    style.scrollPaddingBottom = "140px";
    return () => void style.removeProperty("scroll-padding-bottom");
  }, []);
}

function placeholder(session: Session): string {
  const isAtWork = isLive(session) && session.messages.length > 0;
  return isAtWork ? "Add something to what it does…" : "Say something…";
}

const submitting = (send: () => Promise<void>) => (event: SubmitEvent) => {
  event.preventDefault();
  void send();
};

/** Enter sends, Shift and Enter make a line. Escape leaves the box for what waits, so that its keys work. */
function onKey(event: KeyboardEvent<HTMLTextAreaElement>, send: () => Promise<void>) {
  if (event.nativeEvent.isComposing) return;
  if (event.key === "Enter" && !event.shiftKey) {
    event.preventDefault();
    void send();
  }
  if (event.key === "Escape") {
    const card = document.querySelector<HTMLElement>("main [data-approval]");
    if (card) card.focus();
    else event.currentTarget.blur();
  }
}
