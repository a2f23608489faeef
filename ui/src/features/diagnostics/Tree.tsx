import { Button, Checkbox, Group, Text } from "@mantine/core";
import { useState } from "react";

import { api } from "@/api/client";
import { byPage } from "@/api/queries";
import { StateMark } from "@/components/StateMark";
import { Unfold } from "@/components/Unfold";
import { When } from "@/components/When";

import { type Choice, LineButton, RunLines } from "./Lines";
import styles from "./DiagnosticsPage.module.css";
import { nameOf, stateInWords, statesInWords, type TraceNode } from "./words";

interface Props {
  nodes: TraceNode[];
  choice: Choice;
}

/** Cycles, directors' runs or single lines, one under the other. */
export function Nodes({ nodes, choice, label }: Props & { label: string }) {
  return (
    <ul className={styles.list} role="list" aria-label={label}>
      {nodes.map((node) => (
        <li key={node.id}>
          {node.line ? (
            <div className={styles.ticked}>
              <Tick node={node} choice={choice} />
              <LineButton line={node.line} choice={choice} />
            </div>
          ) : (
            <Branch node={node} choice={choice} />
          )}
        </li>
      ))}
    </ul>
  );
}

function Branch({ node, choice }: { node: TraceNode; choice: Choice }) {
  const [opened, setOpened] = useState(false);
  const toggle = () => {
    setOpened(!opened);
    choice.choose(node.id);
  };
  return (
    <Unfold
      opened={opened}
      onToggle={toggle}
      label={<Label node={node} />}
      beside={<Tick node={node} choice={choice} />}
    >
      {() =>
        node.kind === "cycle" ? (
          <Cycle cycle={node} choice={choice} />
        ) : (
          <RunLines node={node} choice={choice} />
        )
      }
    </Unfold>
  );
}

function Tick({ node, choice }: { node: TraceNode; choice: Choice }) {
  return (
    <Checkbox
      size="xs"
      aria-label={`Select ${nameOf(node)}`}
      checked={choice.ticked.has(node.id)}
      onChange={() => choice.tick(node.id)}
    />
  );
}

function Label({ node }: { node: TraceNode }) {
  if (node.kind === "cycle") {
    return (
      <>
        {nameOf(node)} <When at={node.at} />
        <Text span size="sm" c="dimmed" display="block">
          {statesInWords(node.states ?? {})} · {node.agents} agent sessions
        </Text>
      </>
    );
  }
  const [state, words] = stateInWords(node.state ?? "");
  return (
    <>
      {nameOf(node)} <StateMark state={state}>{words}</StateMark>
      <Text span size="sm" c="dimmed" display="block">
        {node.emailSummary || "A mail that is not yours"} · {node.toolCalls} tool calls,{" "}
        {node.failedCalls} refused or failed
      </Text>
    </>
  );
}

function Cycle({ cycle, choice }: { cycle: TraceNode; choice: Choice }) {
  const [all, setAll] = useState(false);
  if (all) return <Everything cycle={cycle} choice={choice} />;
  return (
    <>
      <Nodes nodes={cycle.children ?? []} choice={choice} label={`Directors of ${nameOf(cycle)}`} />
      {cycle.hasMoreChildren && (
        <Button variant="default" size="xs" mt="xs" onClick={() => setAll(true)}>
          Show all {cycle.directors}
        </Button>
      )}
    </>
  );
}

function Everything({ cycle, choice }: { cycle: TraceNode; choice: Choice }) {
  const query = { parentId: cycle.id, PageSize: 50 };
  const runs = api.useInfiniteQuery(
    "get",
    "/api/v1/diagnostics/unified",
    { params: { query } },
    byPage,
  );
  const nodes = runs.data?.pages.flatMap((page) => page.items) ?? cycle.children ?? [];
  return (
    <>
      <Nodes nodes={nodes} choice={choice} label={`Directors of ${nameOf(cycle)}`} />
      {runs.hasNextPage && (
        <Group mt="xs" gap="sm">
          <Button
            variant="default"
            size="xs"
            loading={runs.isFetchingNextPage}
            onClick={() => void runs.fetchNextPage()}
          >
            Load more
          </Button>
          <Text size="sm" c="dimmed">
            {nodes.length} of {cycle.directors}
          </Text>
        </Group>
      )}
    </>
  );
}
