import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";

import { Loaded } from "@/components/states";
import { TextLink } from "@/components/TextLink";
import { RunMark } from "@/features/runs/list/RunMark";
import { CallLine } from "@/features/chat/transcript/CallLine";
import conversation from "@/features/chat/transcript/Conversation.module.css";
import { turnsOf } from "@/features/chat/transcript/turns";
import { type Run, type Session, sessionReading } from "@/features/chat/transcript/useSession";

import styles from "./Rehearsal.module.css";

/** What a run without effects would have done: each call, what the gate says to it, and why. */
export function Rehearsal({ session }: { session: Session }) {
  return (
    <section className={styles.frame} aria-label="What it would have done">
      <Text fw={500}>
        What it would have done <RunMark run={session} />
      </Text>
      <Calls session={session} />
      {session.children.map((child) => (
        <Asked key={child.id} child={child} />
      ))}
      {session.errorMessage && <Text size="sm">{session.errorMessage}</Text>}
      <Text size="sm" mt="xs">
        <TextLink to="/runs/$runId" params={{ runId: session.id }} size="sm">
          All steps, times and costs of this run
        </TextLink>
      </Text>
    </section>
  );
}

function Calls({ session }: { session: Session }) {
  const deeds = useMemo(() => turnsOf(session).turns.flatMap((turn) => turn.deeds), [session]);
  if (deeds.length === 0) {
    const isOver = !["pending", "running", "waiting"].includes(session.status);
    return (
      <Text size="sm" c="dimmed">
        {isOver ? "It used no tool." : "It is at work."}
      </Text>
    );
  }
  return (
    <ul className={conversation.deeds} role="list" aria-label="What it did">
      {deeds.map((deed) => (
        <CallLine key={deed.id} sessionId={session.id} deed={deed} withReason />
      ))}
    </ul>
  );
}

function Asked({ child }: { child: Run }) {
  const session = useQuery(sessionReading(child.id));
  if (session.data?.calls.length === 0) return null;
  return (
    <div className={styles.asked}>
      <Text size="sm" fw={500}>
        {child.agentName} <RunMark run={child} />
      </Text>
      <Loaded query={session}>{(found) => <Calls session={found} />}</Loaded>
    </div>
  );
}
