import { Text } from "@mantine/core";
import { useMemo } from "react";

import { useMe } from "@/features/identity/useMe";

import styles from "./Conversation.module.css";
import { Ending } from "./Ending";
import { MessageRow, Words } from "./MessageRow";
import { PendingActions } from "./PendingActions";
import { Told } from "./Told";
import { firstWords, isAnswer, turnsOf } from "./turns";
import type { Session } from "./useSession";
import { WritingNow } from "./WritingNow";

/** All that was said and done, with what is being written and what waits at its end. */
export function Log({ session }: { session: Session }) {
  const { told, turns } = useMemo(() => turnsOf(session), [session]);
  const asker = useAsker(session);
  const first = firstWords(session);
  const { agentName } = session;
  return (
    <div className={styles.content}>
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
          id={session.id}
          agentName={agentName}
          session={session}
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
export function useAsker({ kind, userId, userName }: Session) {
  const me = useMe();
  const person = userId === me.id ? "You" : userName || "The command line";
  const others = { task: "The task", schedule: "The schedule", delegate: "The agent that asked" };
  const first = kind in others ? others[kind as keyof typeof others] : person;
  return { first, later: kind === "delegate" ? first : person };
}
