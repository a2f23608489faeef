import { Text } from "@mantine/core";
import { useQueries, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";

import { Loaded } from "@/components/states";
import { TextLink } from "@/components/TextLink";
import conversation from "@/features/chat/transcript/Conversation.module.css";
import { MessageRow } from "@/features/chat/transcript/MessageRow";
import { PendingActions } from "@/features/chat/transcript/PendingActions";
import { Told } from "@/features/chat/transcript/Told";
import { turnsOf } from "@/features/chat/transcript/turns";
import { type Session, sessionReading } from "@/features/chat/transcript/useSession";

/** How the director went about it: every word, and every call with what was decided about it and why. */
export function Transcript({ runId }: { runId: string }) {
  const session = useQuery(sessionReading(runId));
  return (
    <Loaded query={session}>
      {(found) => (
        <>
          <Turns session={found} />
          <Text size="sm" mt="sm">
            <TextLink to="/runs/$runId" params={{ runId }} size="sm">
              All steps, times and costs of this run
            </TextLink>
          </Text>
        </>
      )}
    </Loaded>
  );
}

function Turns({ session }: { session: Session }) {
  const { told, turns } = useMemo(() => turnsOf(session), [session]);
  return (
    <div className={conversation.content}>
      {told.length > 0 && <Told messages={told} />}
      <div className={conversation.log}>
        {turns.map((turn) => (
          <MessageRow
            key={turn.message.position}
            sessionId={session.id}
            turn={turn}
            agent={session.agentName}
            speaker="The mail"
            withReasons
          />
        ))}
      </div>
    </div>
  );
}

/** What the director, or an agent that it asked, may only do once a person has said yes. */
export function Questions({ runId }: { runId: string }) {
  const { data: session } = useQuery(sessionReading(runId));
  const waiting = session?.children.filter(({ status }) => status === "waiting") ?? [];
  const agents = useQueries({ queries: waiting.map(({ id }) => sessionReading(id)) });
  const found = [session, ...agents.map(({ data }) => data)].filter((one) => one !== undefined);
  return found.map((one) => <PendingActions key={one.id} session={one} />);
}
