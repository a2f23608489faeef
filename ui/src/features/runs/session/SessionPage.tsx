import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";

import { isGone } from "@/api/problem";
import { Page } from "@/components/Page";
import { Loaded } from "@/components/states";
import { useTitle } from "@/components/useTitle";
import { useAnswerKeys } from "@/features/gate/approvals/useAnswerKeys";

import { About } from "./About";
import { Composer } from "./Composer";
import { Conversation } from "./Conversation";
import { Heading } from "./Heading";
import styles from "./Session.module.css";
import { type Session, sessionReading } from "./useSession";

/** A conversation with an agent: what was said, what it does, what it asks; and a place to speak. */
export function SessionPage() {
  const { sessionId } = useParams({ from: "/shell/sessions/$sessionId" });
  const session = useQuery(sessionReading(sessionId));
  const { data, error } = session;
  if (data && !isGone(error)) return <Opened key={data.id} session={data} />;
  return (
    <Page title="Session">
      <Loaded query={session}>{() => null}</Loaded>
    </Page>
  );
}

function Opened({ session }: { session: Session }) {
  const { agentName, title } = session;
  useTitle(title ? `${title.slice(0, 60)} · ${agentName}` : agentName);
  useAnswerKeys();
  return (
    <div className={styles.page}>
      <Heading session={session} />
      <div className={styles.columns}>
        <div className={styles.middle}>
          <Conversation session={session} />
          <Composer session={session} />
        </div>
        <aside className={styles.beside} aria-label="About this session">
          <About session={session} />
        </aside>
      </div>
    </div>
  );
}
