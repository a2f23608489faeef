import { Group, NativeSelect, SegmentedControl } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { useState } from "react";

import { api } from "@/api/client";
import { byPage } from "@/api/queries";
import { PagedListing } from "@/components/Listing";
import { Empty } from "@/components/states";
import { useMayWrite } from "@/features/gate/shared/useWorkspaces";
import { useDialog } from "@/routes/useDialog";

import { TaskDialog } from "./TaskDialog";
import { TaskRow } from "./TaskRow";
import { TASKS } from "./useTasks";

const SHOWN = [
  { value: "open", label: "To do" },
  { value: "done", label: "Done" },
  { value: "all", label: "All" },
];

type Shown = "open" | "done" | "all";

/** The tasks of all workspaces that one is in. */
export function TaskList() {
  const [status, setStatus] = useState<Shown>("open");
  const [agentId, setAgentId] = useState("");
  const [making, { close }] = useDialog();
  const { dialog } = useSearch({ strict: false });
  const mayWrite = useMayWrite();
  const query = { status, assignedTo: agentId || undefined };
  const tasks = api.useInfiniteQuery(
    "get",
    TASKS,
    { params: { query } },
    { ...byPage, placeholderData: keepPreviousData },
  );
  const agents = api.useQuery("get", "/api/v1/agents").data?.items ?? [];
  const items = tasks.data?.pages.flatMap((page) => page.items) ?? [];
  const edited = items.find(({ id, workspaceId }) => id === dialog && mayWrite(workspaceId));
  return (
    <>
      <Group gap="xs" mb="sm">
        <SegmentedControl
          aria-label="Which tasks"
          data={SHOWN}
          value={status}
          onChange={(value) => setStatus(value as Shown)}
        />
        {agents.length > 0 && (
          <NativeSelect
            aria-label="Whose tasks"
            data={[
              { value: "", label: "Anyone's" },
              ...agents.map(({ id, name }) => ({ value: id, label: name })),
            ]}
            value={agentId}
            onChange={(event) => setAgentId(event.currentTarget.value)}
            data-filter
          />
        )}
      </Group>
      <PagedListing label="Tasks" query={tasks} empty={<Nothing status={status} by={agentId} />}>
        {(task) => <TaskRow key={task.id} task={task} mayWrite={mayWrite(task.workspaceId)} />}
      </PagedListing>
      <TaskDialog opened={making || edited !== undefined} onClose={close} task={edited} />
    </>
  );
}

function Nothing({ status, by }: { status: Shown; by: string }) {
  if (by) return <Empty title="Nothing here was given to this agent">Look at anyone's.</Empty>;
  if (status === "done") return <Empty title="Nothing is done yet" />;
  return (
    <Empty title="Nothing is to be done">
      Add a task for yourself, or give one to an agent. What agents put on the list for you stands
      here too.
    </Empty>
  );
}
