import { Button, Group, Menu, NativeSelect, SegmentedControl, Stack, Text } from "@mantine/core";
import { useState } from "react";

import { api } from "@/api/client";
import { byPage } from "@/api/queries";
import { notify } from "@/components/notify";
import { Page } from "@/components/Page";
import { Empty, Loaded, Loading } from "@/components/states";
import { useConfirm } from "@/components/useConfirm";
import { useRefresh } from "@/live/useRefresh";

import { Detail } from "./Detail";
import { Runtime } from "./Runtime";
import { Split } from "./Split";
import { Nodes } from "./Tree";

const OFTEN = 15_000;
const STATES = [
  { value: "", label: "All states" },
  { value: "failed", label: "Failed" },
  { value: "running", label: "At work" },
  { value: "waiting", label: "Waiting" },
  { value: "completed", label: "Done" },
  { value: "cancelled", label: "Stopped" },
] as const;

/** What directors and their agents did, step by step. */
export function DiagnosticsPage() {
  const [view, setView] = useState<"tree" | "flat">("tree");
  const [state, setState] = useState<(typeof STATES)[number]["value"]>("");
  const [active, choose] = useState<string | null>(null);
  const query = { view, ...(state && { state: [state] }) };
  const found = api.useInfiniteQuery(
    "get",
    "/api/v1/diagnostics/unified",
    { params: { query } },
    // Others' runs send no events here: a look every now and then finds them.
    { ...byPage, refetchInterval: OFTEN },
  );
  const nodes = found.data?.pages.flatMap((page) => page.items) ?? [];
  const total = found.data?.pages.at(-1)?.totalItems ?? 0;
  return (
    <Page
      title="Diagnostics"
      description="What directors and their agents did, step by step. Of others’ work you see figures, not contents."
      actions={<BulkDelete onDeleted={() => choose(null)} />}
      wide
    >
      <Stack gap="md">
        <Runtime />
        <Group gap="sm">
          <SegmentedControl
            aria-label="How to show it"
            data={[
              { value: "tree", label: "Grouped" },
              { value: "flat", label: "Flat" },
            ]}
            value={view}
            onChange={(chosen) => setView(chosen)}
          />
          <NativeSelect
            aria-label="Which runs to show"
            data-filter
            data={[...STATES]}
            value={state}
            onChange={(event) => setState(event.currentTarget.value as typeof state)}
          />
        </Group>
        <Split
          left={
            <Loaded query={found} loading={<Loading rows={6} />}>
              {() =>
                nodes.length === 0 ? (
                  <Empty title="There is nothing here">
                    Once a mail is given to a director, its work shows up here.
                  </Empty>
                ) : (
                  <>
                    <Nodes
                      nodes={nodes}
                      choice={{ active, choose }}
                      label={view === "tree" ? "Fetch cycles" : "Lines, newest first"}
                    />
                    {found.hasNextPage && (
                      <Group mt="sm" gap="sm">
                        <Button
                          variant="default"
                          size="xs"
                          loading={found.isFetchingNextPage}
                          onClick={() => void found.fetchNextPage()}
                        >
                          Load more
                        </Button>
                        <Text size="sm" c="dimmed">
                          {nodes.length} of {total}
                        </Text>
                      </Group>
                    )}
                  </>
                )
              }
            </Loaded>
          }
          right={<Detail id={active} onDeleted={() => choose(null)} />}
        />
      </Stack>
    </Page>
  );
}

const WEEK = 7 * 86_400_000;

function BulkDelete({ onDeleted }: { onDeleted: () => void }) {
  const refresh = useRefresh();
  const { ask, dialog } = useConfirm();
  const remove = api.useMutation("post", "/api/v1/diagnostics/deletions", {
    meta: { inForm: true },
    onSuccess: async ({ runs }) => {
      onDeleted();
      await refresh("diagnostics");
      notify.done(`The diagnostics of ${runs} runs are deleted.`);
    },
  });
  const askFor = (title: string, body: { all: boolean; before?: string }) =>
    ask({
      title,
      body: "The lines, and what went to models and came back, are gone for good, whoever’s they are. Cases, items and transcripts stay.",
      verb: "Delete",
      run: () => remove.mutateAsync({ body }),
    });
  const old = () => new Date(Date.now() - WEEK).toISOString();
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default">Delete…</Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            onClick={() =>
              askFor("Delete what is older than a week?", { all: false, before: old() })
            }
          >
            Older than a week
          </Menu.Item>
          <Menu.Item onClick={() => askFor("Delete all diagnostics?", { all: true })}>
            All
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {dialog}
    </>
  );
}
