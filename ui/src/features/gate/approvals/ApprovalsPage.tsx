import { Tabs } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";

import { Page } from "@/components/Page";

import { Queue } from "./Queue";
import { Recent } from "./Recent";
import { useWaiting } from "./useWaiting";

/** What agents may only do once a person has said yes. */
export function ApprovalsPage() {
  const { tab = "waiting" } = useSearch({ from: "/shell/approvals" });
  const navigate = useNavigate();
  const count = useWaiting();
  const open = (next: string | null) =>
    void navigate({
      to: "/approvals",
      search: next === "recent" ? { tab: "recent" } : {},
      replace: true,
    });
  return (
    <Page title="Approvals" description="What agents want to do, and may not do without a person.">
      <Tabs value={tab} onChange={open} keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="waiting">Waiting{count > 0 && ` (${count})`}</Tabs.Tab>
          <Tabs.Tab value="recent">Recent</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="waiting">
          <Queue />
        </Tabs.Panel>
        <Tabs.Panel value="recent">
          <Recent />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
