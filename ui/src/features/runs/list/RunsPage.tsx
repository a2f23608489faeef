import { Button, Group, Text } from "@mantine/core";
import { Link, useSearch } from "@tanstack/react-router";

import { api } from "@/api/client";
import { byPage } from "@/api/queries";
import { Page } from "@/components/Page";
import { Empty, Loaded, Loading } from "@/components/states";

import { Filters } from "./Filters";
import { RunsTable } from "./RunsTable";
import { asKind, asStatus } from "./words";

/** What agents do and did, newest first; it keeps itself up to date. */
export function RunsPage() {
  const { status, agent, kind, task, schedule } = useSearch({ from: "/shell/runs" });
  const query = {
    ...asStatus(status),
    agentId: agent,
    kind: asKind(kind),
    taskId: task,
    scheduleId: schedule,
  };
  const runs = api.useInfiniteQuery("get", "/api/v1/runs", { params: { query } }, byPage);
  const shown = runs.data?.pages.flatMap((page) => page.items) ?? [];
  const total = runs.data?.pages.at(-1)?.totalItems ?? 0;
  return (
    <Page
      title="Runs"
      description="What agents do and did, newest first. A run shows every step, what it cost and what the gate said."
      wide
    >
      <Filters known={shown} />
      {(task ?? schedule) && <Narrowed what={task ? "one task" : "one schedule"} />}
      <Loaded query={runs} loading={<Loading rows={6} />}>
        {() =>
          shown.length > 0 ? (
            <RunsTable runs={shown} />
          ) : (
            <Nothing filtered={Boolean(status ?? agent ?? kind ?? task ?? schedule)} />
          )
        }
      </Loaded>
      {runs.hasNextPage && (
        <Group mt="sm" gap="sm">
          <Button
            variant="default"
            size="xs"
            loading={runs.isFetchingNextPage}
            onClick={() => void runs.fetchNextPage()}
          >
            Load more
          </Button>
          <Text size="sm" c="dimmed">
            {shown.length} of {total}
          </Text>
        </Group>
      )}
    </Page>
  );
}

function Narrowed({ what }: { what: string }) {
  return (
    <Group gap="sm" mb="md">
      <Text size="sm">Only the runs of {what}.</Text>
      <Button component={Link} to="/runs" variant="default" size="compact-sm">
        Show everything
      </Button>
    </Group>
  );
}

function Nothing({ filtered }: { filtered: boolean }) {
  if (!filtered) {
    const agents = (
      <Button component={Link} to="/agents" variant="default">
        Agents
      </Button>
    );
    return (
      <Empty title="No agent has done anything yet" action={agents}>
        Talk to an agent, or give one a task: what it does shows up here, step by step.
      </Empty>
    );
  }
  const all = (
    <Button component={Link} to="/runs" variant="default">
      Show everything
    </Button>
  );
  return (
    <Empty title="There is no such run" action={all}>
      Choose something else above, or look at everything.
    </Empty>
  );
}
