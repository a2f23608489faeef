import { Button, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";

import { api } from "@/api/client";
import { byPage } from "@/api/queries";
import { Page } from "@/components/Page";
import { Empty, Loaded, Loading } from "@/components/states";

import { BulkDelete } from "./BulkDelete";
import { Detail } from "./Detail";
import { type Filter, Filters, NO_FILTER } from "./Filters";
import { Runtime } from "./Runtime";
import { Split } from "./Split";
import { Nodes } from "./Tree";

const OFTEN = 15_000;

/** What directors and their agents did, step by step. */
export function DiagnosticsPage() {
  const [filter, setFilter] = useState<Filter>(NO_FILTER);
  const [active, choose] = useState<string | null>(null);
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const { view, state, directorId, since } = filter;
  const query = {
    view,
    ...(state && { state: [state] }),
    ...(directorId && { directorId }),
    ...(since && { since }),
  };
  const tick = (id: string) => {
    const others = [...ticked].filter((one) => one !== id);
    setTicked(new Set(ticked.has(id) ? others : [...others, id]));
  };
  const change = (chosen: Filter) => {
    setFilter(chosen);
    setTicked(new Set());
  };
  const onDeleted = () => {
    choose(null);
    setTicked(new Set());
  };
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
      actions={<BulkDelete ticked={[...ticked]} onDeleted={onDeleted} />}
      wide
    >
      <Stack gap="md">
        <Runtime />
        <Filters filter={filter} onChange={change} />
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
                      choice={{ active, choose, ticked, tick }}
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
          right={<Detail id={active} onDeleted={onDeleted} />}
        />
      </Stack>
    </Page>
  );
}
