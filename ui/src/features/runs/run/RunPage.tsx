import { Text } from "@mantine/core";
import { useParams } from "@tanstack/react-router";
import { useMemo } from "react";

import { api } from "@/api/client";
import { detailOf, isGone } from "@/api/problem";
import { Page } from "@/components/Page";
import { ProblemAlert } from "@/components/ProblemAlert";
import { Empty, Loaded } from "@/components/states";
import { TextLink } from "@/components/TextLink";
import { counted, dollars } from "@/features/llm/models/amounts";

import { RunMark } from "../list/RunMark";
import { Took } from "../list/Took";
import { titleOf } from "../list/words";
import { RunActions } from "./RunActions";
import { RunFacts } from "./RunFacts";
import { Timeline } from "./Timeline";
import styles from "./Timeline.module.css";
import { type Session, timeline } from "./timeline";
import { useProviderEvents } from "./useProviderEvents";

/** One run: every step, what the gate said, what it cost, and what can be done with it. */
export function RunPage() {
  const { runId } = useParams({ from: "/shell/runs/$runId" });
  const params = { path: { session_id: runId } };
  const session = api.useQuery("get", "/api/v1/sessions/{session_id}", { params });
  const there = session.data && !isGone(session.error) ? session.data : undefined;
  return (
    <div className={styles.page}>
      <Page
        title={there ? titleOf(there) : "Run"}
        description={
          <TextLink to="/runs" size="sm">
            All runs
          </TextLink>
        }
        actions={there && <RunActions session={there} />}
        wide
      >
        <Loaded query={session}>{(found) => <Parts key={found.id} session={found} />}</Loaded>
      </Page>
    </div>
  );
}

function Parts({ session }: { session: Session }) {
  const { events, error } = useProviderEvents(session.id);
  const moments = useMemo(() => timeline(session, events), [session, events]);
  return (
    <div className={styles.layout}>
      <div>
        <Summary session={session} />
        {session.kind === "trial" && (
          <Text size="sm" mb="sm">
            A trial: nothing was changed. What would have changed something was not done.
          </Text>
        )}
        {session.kind === "replay" && (
          <Text size="sm" mb="sm">
            A replay: nothing was changed. Calls got the answers of the first run, and what would
            have changed something was not done.
          </Text>
        )}
        <ProblemAlert>
          {error ? `What the model was asked could not be read. ${detailOf(error)}` : null}
        </ProblemAlert>
        {moments.length > 0 ? (
          <Timeline session={session} moments={moments} />
        ) : (
          <Empty title="Nothing was asked yet">Choose “Talk” to tell the agent what to do.</Empty>
        )}
      </div>
      <aside className={styles.aside} aria-label="About this run">
        <RunFacts session={session} events={events} />
      </aside>
    </div>
  );
}

/** The facts in a line, for where they do not stand beside the timeline but after it. */
function Summary({ session }: { session: Session }) {
  return (
    <div className={styles.summary}>
      <RunMark run={session} />
      <span>{session.agentName}</span>
      <span>{counted(session.steps, "step")}</span>
      <span>{counted(session.tokensUsed, "token")}</span>
      <span>{dollars(session.money)}</span>
      <span>
        <Took run={session} />
      </span>
    </div>
  );
}
