import { Button, Tabs } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useNavigate, useSearch } from "@tanstack/react-router";

import { Page } from "@/components/Page";
import { ScheduleList } from "@/features/runs/schedules/ScheduleList";
import { useDialog } from "@/routes/useDialog";

import { TaskList } from "./TaskList";

const DESCRIPTION =
  "What is to be done here. Give a task to an agent and it sets to work at once; what is to be done again and again goes on a schedule.";

/** Tasks, and what agents do by the clock. */
export function TasksPage() {
  const { tab = "tasks" } = useSearch({ from: "/shell/tasks" });
  const navigate = useNavigate();
  const [, { open }] = useDialog();
  const show = (next: string | null) =>
    void navigate({
      to: "/tasks",
      search: next === "schedules" ? { tab: "schedules" } : {},
      replace: true,
    });
  const add = (
    <Button leftSection={<IconPlus size={16} />} onClick={open}>
      {tab === "tasks" ? "New task" : "New schedule"}
    </Button>
  );
  return (
    <Page title="Tasks" description={DESCRIPTION} actions={add}>
      <Tabs value={tab} onChange={show} keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="tasks">Tasks</Tabs.Tab>
          <Tabs.Tab value="schedules">Schedules</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="tasks">
          <TaskList />
        </Tabs.Panel>
        <Tabs.Panel value="schedules">
          <ScheduleList />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
