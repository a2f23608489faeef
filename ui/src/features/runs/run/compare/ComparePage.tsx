import { NativeSelect, Text } from "@mantine/core";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";

import { api, type Schemas } from "@/api/client";
import { isGone } from "@/api/problem";
import { Page } from "@/components/Page";
import { Empty, Loaded } from "@/components/states";
import { TextLink } from "@/components/TextLink";

import { isLive, KINDS, type Run, titleOf } from "../../list/words";
import styles from "../Timeline.module.css";
import type { Session } from "../timeline";
import { ComparedRows } from "./ComparedRows";
import { Totals } from "./Totals";

/** Two runs side by side: what differs, and what that cost. */
export function ComparePage() {
  const { runId } = useParams({ from: "/shell/runs/$runId/compare" });
  const { with: other } = useSearch({ from: "/shell/runs/$runId/compare" });
  const params = { path: { session_id: runId } };
  const session = api.useQuery("get", "/api/v1/sessions/{session_id}", { params });
  const there = session.data && !isGone(session.error) ? session.data : undefined;
  return (
    <div className={styles.page}>
      <Page
        title="Compare two runs"
        description={
          <TextLink to="/runs/$runId" params={{ runId }} size="sm">
            {there ? titleOf(there) : "The first run"}
          </TextLink>
        }
        wide
      >
        <Loaded query={session}>
          {(found) => (
            <>
              <Other session={found} chosen={other} />
              {other ? (
                <Both runId={runId} other={other} />
              ) : (
                <Empty title="Choose another run">
                  Or replay this one with another model or prompt: then the two are shown here.
                </Empty>
              )}
            </>
          )}
        </Loaded>
      </Page>
    </div>
  );
}

function Both({ runId, other }: { runId: string; other: string }) {
  const compared = api.useQuery("get", "/api/v1/runs/{run_id}/comparison", {
    params: { path: { run_id: runId }, query: { with: other } },
  });
  return <Loaded query={compared}>{(found) => <Found compared={found} />}</Loaded>;
}

function Found({ compared: { left, right, rows } }: { compared: Schemas["ComparedOut"] }) {
  return (
    <>
      <Totals left={left} right={right} />
      <Text size="sm" c="dimmed" mb="sm" role="status">
        {isLive(left) || isLive(right)
          ? "A run is not over yet: what it does shows up here by itself."
          : rows.every(({ same }) => same) && "Both said and did the same."}
      </Text>
      <ComparedRows rows={rows} />
    </>
  );
}

/** Which run stands on the right: one of the same agent. */
function Other({ session, chosen }: { session: Session; chosen?: string }) {
  const navigate = useNavigate();
  const query = { agentId: session.agentId, PageSize: 50 };
  const { data } = api.useQuery("get", "/api/v1/runs", { params: { query } });
  const others = (data?.items ?? []).filter(({ id, title }) => id !== session.id && title);
  const known = !chosen || others.some(({ id }) => id === chosen);
  return (
    <NativeSelect
      maw={480}
      mb="md"
      label="Compared with"
      data={[
        ...(chosen ? [] : [{ value: "", label: "Choose a run of the same agent" }]),
        ...others.map((run) => ({ value: run.id, label: labelOf(run) })),
        ...(known || !chosen ? [] : [{ value: chosen, label: "Another run" }]),
      ]}
      value={chosen ?? ""}
      onChange={(event) =>
        void navigate({
          to: "/runs/$runId/compare",
          params: { runId: session.id },
          search: { with: event.currentTarget.value },
          replace: true,
        })
      }
    />
  );
}

const moment = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });

const labelOf = (run: Run) =>
  `${moment.format(new Date(run.createdAt))}, ${KINDS[run.kind]}: ${titleOf(run).slice(0, 60)}`;
