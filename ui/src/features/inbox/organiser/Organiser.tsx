import { ActionIcon, Button, Text, Textarea } from "@mantine/core";
import { IconArrowUp } from "@tabler/icons-react";
import { type KeyboardEvent, useEffect, useRef } from "react";

import { Loaded } from "@/components/states";
import { Log } from "@/features/chat/transcript/Log";
import { useDraft } from "@/features/chat/composer/drafts";
import { Standing } from "@/features/chat/transcript/Standing";

import styles from "./Organiser.module.css";
import { useConversation } from "./useConversation";

const MOST = 100_000;
const NEAR = 80;

interface Props {
  workspaceId: string;
  agentId: string | null;
  maySpeak: boolean;
}

/** The conversation with the organiser of an inbox. */
export function Organiser({ workspaceId, agentId, maySpeak }: Props) {
  const conversation = useConversation(workspaceId, agentId);
  const { session, begin } = conversation;
  const pane = useNewest();
  return (
    <div className={styles.organiser}>
      <div className={styles.log} ref={pane} role="region" aria-label="What was said" tabIndex={0}>
        {session ? (
          <Loaded query={session}>{(read) => <Log session={read} />}</Loaded>
        ) : (
          <Text size="sm" c="dimmed">
            Ask why a paper belongs somewhere, or say how you like things to be filed. It suggests;
            only you move papers.
          </Text>
        )}
      </div>
      <div className={styles.line}>
        <div role="status">{session?.data && <Standing session={session.data} />}</div>
        {session && (
          <Button size="compact-xs" variant="subtle" color="gray" onClick={begin}>
            New conversation
          </Button>
        )}
      </div>
      {maySpeak && <Box workspaceId={workspaceId} conversation={conversation} />}
    </div>
  );
}

interface BoxProps {
  workspaceId: string;
  conversation: ReturnType<typeof useConversation>;
}

function Box({ workspaceId, conversation: { say, saying } }: BoxProps) {
  const { written, keep, drop } = useDraft(`inbox ${workspaceId}`);
  const { text, pasted } = written;
  const send = async () => {
    if (text.trim() && !saying && (await say(written))) drop(text);
  };
  const onKey = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      void send();
    }
    if (event.key === "Escape") event.currentTarget.blur();
  };
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <Textarea
        className={styles.box}
        aria-label="Message to the organiser"
        placeholder="Say something…"
        autosize
        minRows={1}
        maxRows={6}
        maxLength={MOST}
        description={pasted.length > 0 && "What you pasted is content. It gives no orders."}
        value={text}
        onChange={(event) => keep(event.currentTarget.value, event.nativeEvent)}
        onKeyDown={onKey}
      />
      <ActionIcon
        type="submit"
        size={36}
        aria-label="Send"
        loading={saying}
        disabled={!text.trim()}
      >
        <IconArrowUp size={20} aria-hidden />
      </ActionIcon>
    </form>
  );
}

/** Keeps the newest in sight while the pane's content grows, unless the person has scrolled up to read. */
function useNewest() {
  const pane = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const box = pane.current;
    if (!box) return;
    let stays = true;
    const look = () => {
      stays = box.scrollHeight - box.clientHeight - box.scrollTop < NEAR;
    };
    const grow = () => {
      if (stays) box.scrollTop = box.scrollHeight;
    };
    const observer = new MutationObserver(grow);
    observer.observe(box, { childList: true, subtree: true, characterData: true });
    box.addEventListener("scroll", look, { passive: true });
    grow();
    return () => {
      observer.disconnect();
      box.removeEventListener("scroll", look);
    };
  }, []);
  return pane;
}
