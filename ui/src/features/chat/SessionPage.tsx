import { Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Navigate, useParams } from "@tanstack/react-router";
import { useMemo } from "react";

import { isGone } from "@/api/problem";
import { Page } from "@/components/Page";
import page from "@/components/Page.module.css";
import { Tag } from "@/components/StateMark";
import { Loaded } from "@/components/states";
import { useTitle } from "@/components/useTitle";
import { useAnswerKeys } from "@/features/gate/approvals/useAnswerKeys";
import { isLive } from "@/features/runs/list/words";

import styles from "./Chat.module.css";
import { Composer } from "./composer/Composer";
import { Silent } from "./composer/Silent";
import { LineList } from "./thread/LineList";
import { sessionLines } from "./thread/lines";
import { Tail } from "./thread/Tail";
import type { Talk } from "./thread/talk";
import { Details } from "./thread/ThreadHeading";
import { ThreadLine } from "./thread/ThreadLine";
import { threadReading } from "./thread/useThread";
import { useAsker } from "./transcript/Log";
import { Words } from "./transcript/MessageRow";
import { Standing } from "./transcript/Standing";
import { firstWords } from "./transcript/turns";
import { useModel } from "./transcript/useModel";
import { type Session, sessionReading, useSessionVerbs } from "./transcript/useSession";

const SILENT: Talk = {
  isOwn: false,
  isAtWork: false,
  verbs: null,
  editing: null,
  edit: () => {},
  quote: () => {},
};

/** A session leads to the conversation that it is a part of; one for a task or of another agent is shown by itself. */
export function SessionPage() {
  const { sessionId } = useParams({ from: "/shell/sessions/$sessionId" });
  const session = useQuery(sessionReading(sessionId));
  const { data, error } = session;
  const threadId = data?.threadId ?? "";
  const thread = useQuery({ ...threadReading(threadId), enabled: threadId !== "", retry: false });
  if (thread.data) return <Navigate to="/chat/$threadId" params={{ threadId }} replace />;
  // Whoever sees a session need not see the conversation.
  if (data && !isGone(error) && !thread.isLoading) return <Opened key={data.id} session={data} />;
  return (
    <Page title="Session">
      <Loaded query={session}>{() => null}</Loaded>
    </Page>
  );
}

function Opened({ session }: { session: Session }) {
  const { id, agentId, agentName, title, canSpeak } = session;
  useTitle(title ? `${title.slice(0, 60)} · ${agentName}` : agentName);
  useAnswerKeys();
  const model = useModel(session);
  const asker = useAsker(session);
  const verbs = useSessionVerbs(id);
  const lines = useMemo(() => sessionLines(session), [session]);
  const first = firstWords(session);
  const begun = session.messages.length > 0;
  return (
    <div className={styles.page} data-alone data-reading>
      <div className={styles.pane}>
        <header className={styles.head}>
          <div className={styles.who}>
            <Title order={1} tabIndex={-1} className={`${page.heading} ${styles.title}`}>
              {agentName}
            </Title>
            <Text c="dimmed" size="sm" component="div" className={styles.facts}>
              <span>{model ? `with ${model.name}` : "\u00a0"}</span>
              {model?.isOffline && <Tag>Works by rules, not AI</Tag>}
            </Text>
          </div>
          <Details session={session} />
        </header>
        <LineList
          lines={lines}
          tail={
            <>
              {first && lines.length < 2 && <Words speaker={asker.first} text={first} />}
              <Tail runId={id} name={agentName} session={session} lines={lines} />
            </>
          }
        >
          {(line) => <ThreadLine line={line} talk={SILENT} asker={asker} isLast={false} />}
        </LineList>
        {canSpeak ? (
          <Composer
            draft={id}
            agent={{ id: agentId, name: agentName }}
            standing={<Standing session={session} />}
            begun={begun}
            isAtWork={isLive(session)}
            say={({ content, pasted, files }) => verbs.say({ content, pasted, files })}
            saying={verbs.saying}
            stop={verbs.stop}
            stopping={verbs.stopping}
          />
        ) : (
          <Silent session={session} />
        )}
      </div>
    </div>
  );
}
