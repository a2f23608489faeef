import { Button, Text } from "@mantine/core";
import { IconArrowDown } from "@tabler/icons-react";
import { type Ref, useMemo, useRef } from "react";

import { useMe } from "@/features/identity/useMe";

import styles from "./Conversation.module.css";
import { Ending } from "./Ending";
import { MessageRow, Words } from "./MessageRow";
import { PendingActions } from "./PendingActions";
import { Told } from "./Told";
import { firstWords, isAnswer, lastWritten, turnsOf } from "./turns";
import { useBottom } from "./useBottom";
import type { Session } from "./useSession";
import { WritingNow } from "./WritingNow";

/** A conversation as a page: what is newest stays in sight. */
export function Conversation({ session }: { session: Session }) {
  const content = useRef<HTMLDivElement>(null);
  const { isAway, jump } = useBottom(content);
  return (
    <>
      <Log ref={content} session={session} />
      {isAway && (
        <Button
          className={styles.jump}
          variant="default"
          size="xs"
          radius="xl"
          leftSection={<IconArrowDown size={14} aria-hidden />}
          onClick={jump}
        >
          Jump to the newest
        </Button>
      )}
    </>
  );
}

/** All that was said and done, with what is being written and what waits at its end. */
export function Log({ session, ref }: { session: Session; ref?: Ref<HTMLDivElement> }) {
  const { told, turns } = useMemo(() => turnsOf(session), [session]);
  const asker = useAsker(session);
  const first = firstWords(session);
  const { agentName } = session;
  return (
    <div ref={ref} className={styles.content}>
      {told.length > 0 && <Told messages={told} />}
      <div role="log" aria-label="Conversation" className={styles.log}>
        {first && <Words speaker={asker.first} text={first} />}
        {turns.map((turn) => (
          <MessageRow
            key={turn.message.position}
            sessionId={session.id}
            turn={turn}
            agent={agentName}
            speaker={turn.message.step === 0 ? asker.first : asker.later}
          />
        ))}
        <WritingNow
          session={session}
          after={lastWritten(session.messages)}
          goesOn={isAnswer(turns.at(-1)?.message)}
        />
      </div>
      {turns.length === 0 && !first && (
        <Text c="dimmed">Say what {agentName} shall do. It begins at once.</Text>
      )}
      <PendingActions session={session} />
      <Ending session={session} />
    </div>
  );
}

/** Who speaks to the agent: at first it may be a task, a schedule or another agent; later it is a person. */
function useAsker({ kind, userId, userName }: Session) {
  const me = useMe();
  const person = userId === me.id ? "You" : userName || "The command line";
  const others = { task: "The task", schedule: "The schedule", delegate: "The agent that asked" };
  const first = kind in others ? others[kind as keyof typeof others] : person;
  return { first, later: kind === "delegate" ? first : person };
}
