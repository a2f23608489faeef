import { Text, UnstyledButton } from "@mantine/core";

import { api } from "@/api/client";
import { StateMark } from "@/components/StateMark";
import { Loaded, Loading } from "@/components/states";
import { Unfold } from "@/components/Unfold";

import styles from "./DiagnosticsPage.module.css";
import { lineInWords, stateInWords, threaded, type TraceLine, type TraceNode } from "./words";

const clock = new Intl.DateTimeFormat("en", { timeStyle: "medium", hour12: false });

export interface Choice {
  active: string | null;
  choose: (id: string) => void;
  /** What is ticked, to be deleted together. */
  ticked: ReadonlySet<string>;
  tick: (id: string) => void;
}

/** One line: when, what, and whether it went wrong. */
export function LineButton({ line, choice }: { line: TraceLine; choice: Choice }) {
  return (
    <UnstyledButton
      className={styles.line}
      aria-current={choice.active === line.id || undefined}
      onClick={() => choice.choose(line.id)}
    >
      <time className={styles.time} dateTime={line.timestamp}>
        {clock.format(new Date(line.timestamp))}
      </time>
      <span>{lineInWords(line)}</span>
      {line.detail.model && <span className={styles.time}>{line.detail.model}</span>}
      {line.error && <StateMark state="failed">{line.detail.status ?? "failed"}</StateMark>}
    </UnstyledButton>
  );
}

/** What a director did, and, where it asked them, what its agents did. */
export function RunLines({ node, choice }: { node: TraceNode; choice: Choice }) {
  const detail = api.useQuery("get", "/api/v1/diagnostics/unified/{node_id}", {
    params: { path: { node_id: node.id } },
  });
  return (
    <Loaded query={detail} loading={<Loading rows={4} />}>
      {({ lines, linesLeftOut }) => (
        <>
          <Thread node={node} lines={lines} choice={choice} />
          {linesLeftOut > 0 && (
            <Text size="sm" c="dimmed">
              {linesLeftOut} more lines are in the flat view.
            </Text>
          )}
        </>
      )}
    </Loaded>
  );
}

function Thread(props: { node: TraceNode; lines: TraceLine[]; choice: Choice }) {
  const { node, lines, choice } = props;
  return (
    <ul
      className={styles.list}
      role="list"
      aria-label={`Lines of ${node.agentName || node.directorName}`}
    >
      {threaded(lines, node.id).map((each) => {
        if (!("session" in each)) {
          return (
            <li key={each.id}>
              <LineButton line={each} choice={choice} />
            </li>
          );
        }
        const agent = node.children?.find(({ id }) => id === each.session);
        return (
          agent && (
            <li key={agent.id}>
              <AgentSession agent={agent} lines={lines} choice={choice} />
            </li>
          )
        );
      })}
    </ul>
  );
}

function AgentSession(props: { agent: TraceNode; lines: TraceLine[]; choice: Choice }) {
  const { agent, lines, choice } = props;
  const [state, words] = stateInWords(agent.state ?? "");
  return (
    <Unfold
      opened
      label={
        <>
          Agent {agent.agentName} <StateMark state={state}>{words}</StateMark>
        </>
      }
    >
      <Thread node={agent} lines={lines} choice={choice} />
    </Unfold>
  );
}
