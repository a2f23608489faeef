import { Text } from "@mantine/core";

import styles from "../transcript/Conversation.module.css";
import { Ending } from "../transcript/Ending";
import { PendingActions } from "../transcript/PendingActions";
import type { Session } from "../transcript/useSession";
import { WritingNow } from "../transcript/WritingNow";
import type { Line } from "./lines";

interface Props {
  runId: string | null;
  name: string;
  session: Session | undefined;
  lines: Line[];
}

/** Below the lines: what is being written, what waits for a person, and why it ended. */
export function Tail({ runId, name, session, lines }: Props) {
  const last = lines.at(-1);
  const goesOn = last?.kind === "answer" && last.message === null;
  return (
    <div className={styles.content}>
      {runId && (
        <WritingNow
          id={runId}
          agentName={session?.agentName ?? name}
          session={session}
          goesOn={goesOn}
        />
      )}
      {lines.length === 0 && <Text c="dimmed">Say what {name} shall do. It begins at once.</Text>}
      {session && <PendingActions session={session} />}
      {session && last?.kind !== "word" && <Ending session={session} />}
    </div>
  );
}
