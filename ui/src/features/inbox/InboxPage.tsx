import { Button, Drawer, NativeSelect, Tabs, Title } from "@mantine/core";
import { useDisclosure, useMediaQuery } from "@mantine/hooks";
import { IconMessage2 } from "@tabler/icons-react";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";

import { api, type Schemas } from "@/api/client";
import { Page } from "@/components/Page";
import { Empty, Loaded, Loading, LoadingForm } from "@/components/states";

import { Guidelines } from "./guideline/Guidelines";
import { useProposals } from "./guideline/Proposals";
import { InboxOf } from "./InboxOf";
import styles from "./InboxPage.module.css";
import { Organiser } from "./organiser/Organiser";
import { usePapers } from "./papers/usePapers";
import { InboxSettings } from "./settings/InboxSettings";

type Workspace = Schemas["WorkspaceOut"];

const DESCRIPTION =
  "Papers that arrived, and where the organiser thinks they belong. Nothing moves until you say so.";
// As wide as the style sheet's: beside the papers, or over them.
const WIDE = "(min-width: 75em)";

/** Papers that arrived, what belongs where, and the conversation with who suggests it. */
export function InboxPage() {
  const workspaces = api.useQuery("get", "/api/v1/workspaces");
  return (
    <Loaded query={workspaces} loading={<Waiting />}>
      {({ items }) =>
        items.length === 0 ? (
          <Page title="Inbox" description={DESCRIPTION}>
            <Empty title="You are in no workspace">
              Make one under Workspaces: an inbox belongs to a workspace.
            </Empty>
          </Page>
        ) : (
          <Chosen workspaces={items} />
        )
      }
    </Loaded>
  );
}

function Waiting() {
  return (
    <Page title="Inbox" description={DESCRIPTION}>
      <Loading />
    </Page>
  );
}

/** One inbox: the address names it; else the first one in which something lies. */
function Chosen({ workspaces }: { workspaces: Workspace[] }) {
  const { workspace: named } = useSearch({ from: "/shell/inbox" });
  const papers = usePapers();
  const [first, setFirst] = useState<string>();
  // Found once: the page does not turn to another inbox when this one is empty.
  if (!first && papers.data) {
    const full = new Set(papers.data.items.map(({ workspaceId }) => workspaceId));
    setFirst((workspaces.find(({ id }) => full.has(id)) ?? workspaces[0])?.id);
  }
  const here = workspaces.find(({ id }) => id === (named ?? first)) ?? workspaces[0];
  if ((!first && !papers.error) || !here) return <Waiting />;
  return <Opened key={here.id} workspace={here} workspaces={workspaces} />;
}

function Opened({ workspace, workspaces }: { workspace: Workspace; workspaces: Workspace[] }) {
  const { workspace: named, tab: shown } = useSearch({ from: "/shell/inbox" });
  const navigate = useNavigate();
  const go = (change: { workspace?: string; tab?: "guidelines" | "settings" }) =>
    void navigate({
      to: "/inbox",
      search: { workspace: named, tab: shown, ...change },
      replace: true,
    });
  const { id, role } = workspace;
  const settings = api.useQuery("get", "/api/v1/inbox/settings", {
    params: { query: { workspaceId: id } },
  });
  const proposals = useProposals(id).data?.items.length ?? 0;
  const isWide = useMediaQuery(WIDE);
  const [talking, { open, close }] = useDisclosure();
  const mayWrite = role !== "read";
  const organiser = (
    <Organiser
      workspaceId={id}
      agentId={settings.data?.agentId ?? null}
      maySpeak={mayWrite && settings.data?.agentEnabled !== false}
    />
  );
  const actions = (
    <>
      {workspaces.length > 1 && (
        <NativeSelect
          aria-label="Workspace"
          data={workspaces.map(({ id: value, name }) => ({ value, label: name }))}
          value={id}
          onChange={(event) => go({ workspace: event.currentTarget.value })}
        />
      )}
      <Button
        className={styles.talk}
        variant="default"
        leftSection={<IconMessage2 size={16} />}
        onClick={open}
      >
        Talk with the organiser
      </Button>
    </>
  );
  return (
    <Page title="Inbox" description={DESCRIPTION} actions={actions} wide>
      <div className={styles.columns}>
        <Tabs
          value={shown ?? "papers"}
          keepMounted={false}
          onChange={(next) =>
            go({ tab: next === "guidelines" || next === "settings" ? next : undefined })
          }
        >
          <Tabs.List mb="md">
            <Tabs.Tab value="papers">Papers</Tabs.Tab>
            <Tabs.Tab value="guidelines">Guidelines{proposals > 0 && ` (${proposals})`}</Tabs.Tab>
            <Tabs.Tab value="settings">Settings</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="papers">
            <InboxOf workspace={workspace} settings={settings.data} />
          </Tabs.Panel>
          <Tabs.Panel value="guidelines">
            <Guidelines workspaceId={id} mayWrite={mayWrite} />
          </Tabs.Panel>
          <Tabs.Panel value="settings">
            <Loaded query={settings} loading={<LoadingForm />}>
              {(read) => <InboxSettings settings={read} manages={role === "admin"} />}
            </Loaded>
          </Tabs.Panel>
        </Tabs>
        {isWide && (
          <aside className={styles.beside} aria-label="Organiser">
            <Title order={2} mb="xs">
              Organiser
            </Title>
            {organiser}
          </aside>
        )}
      </div>
      {!isWide && (
        <Drawer
          opened={talking}
          onClose={close}
          position="bottom"
          size="85%"
          title="Organiser"
          classNames={{ content: styles.sheet, body: styles.sheetBody }}
          closeButtonProps={{ "aria-label": "Close the conversation" }}
        >
          {organiser}
        </Drawer>
      )}
    </Page>
  );
}
