import { Button, NativeSelect } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useSearch } from "@tanstack/react-router";
import { useState } from "react";

import { api } from "@/api/client";
import { Page } from "@/components/Page";
import { Empty, Loaded } from "@/components/states";
import { useDialog } from "@/routes/useDialog";

import { Memories } from "./Memories";

const DESCRIPTION =
  "What you and your agents remember: yours first, then what you share with your agents, then what everyone here finds.";

/** What is remembered. */
export function MemoryPage() {
  const workspaces = api.useQuery("get", "/api/v1/workspaces");
  const { workspace, q } = useSearch({ from: "/shell/memory" });
  const [chosen, setChosen] = useState(workspace);
  const [, { open }] = useDialog();
  const items = workspaces.data?.items ?? [];
  const here = items.find(({ id }) => id === chosen) ?? items[0];
  const add = here && here.role !== "read" && (
    <Button leftSection={<IconPlus size={16} />} onClick={open}>
      Remember something
    </Button>
  );
  const choice = items.length > 1 && (
    <NativeSelect
      aria-label="Workspace"
      data={items.map(({ id, name }) => ({ value: id, label: name }))}
      value={here?.id}
      onChange={(event) => setChosen(event.currentTarget.value)}
    />
  );
  return (
    <Page
      title="Memory"
      description={DESCRIPTION}
      actions={
        <>
          {choice}
          {add}
        </>
      }
    >
      <Loaded query={workspaces}>
        {() =>
          here ? (
            <Memories key={`${here.id} ${q ?? ""}`} workspace={here} words={q} />
          ) : (
            <Empty title="You are in no workspace">
              Make one under Workspaces: memories belong to a workspace.
            </Empty>
          )
        }
      </Loaded>
    </Page>
  );
}
