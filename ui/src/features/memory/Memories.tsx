import { Button } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { useState } from "react";

import { api, type Schemas } from "@/api/client";
import { byPage } from "@/api/queries";
import { PagedListing } from "@/components/Listing";
import { Empty } from "@/components/states";
import { useDialog } from "@/routes/useDialog";

import { FilterBar } from "./FilterBar";
import { asQuery, EVERYTHING, isFiltered } from "./filters";
import { MemoryDialog } from "./MemoryDialog";
import { MemoryRow } from "./MemoryRow";
import { MEMORIES } from "./useMemories";

interface Props {
  workspace: Schemas["WorkspaceOut"];
  /** What to search for at first. */
  words?: string;
}

/** The memories of a workspace that reach one, to be searched. */
export function Memories({ workspace, words }: Props) {
  const [filters, setFilters] = useState({ ...EVERYTHING, query: words ?? "" });
  const [settled] = useDebouncedValue(filters, 250);
  const [making, { close }] = useDialog();
  const { dialog } = useSearch({ strict: false });
  const query = { workspaceId: workspace.id, ...asQuery(settled) };
  const memories = api.useInfiniteQuery(
    "get",
    MEMORIES,
    { params: { query } },
    { ...byPage, placeholderData: keepPreviousData },
  );
  const items = memories.data?.pages.flatMap((page) => page.items) ?? [];
  const tags = [...new Set(items.flatMap((memory) => memory.tags))].sort();
  const mayWrite = workspace.role !== "read";
  const edited = mayWrite ? items.find(({ id }) => id === dialog) : undefined;
  const all = (
    <Button variant="default" onClick={() => setFilters(EVERYTHING)}>
      Show everything
    </Button>
  );
  const empty = isFiltered(filters) ? (
    <Empty title="Nothing like that is remembered" action={all}>
      Search for something else, or take a filter away.
    </Empty>
  ) : (
    <Empty title="Nothing is remembered yet">
      {mayWrite && "Remember something, and your agents can find it. "}
      What agents note for later stands here too.
    </Empty>
  );
  return (
    <>
      <FilterBar filters={filters} onChange={setFilters} tags={tags} />
      <PagedListing label="Memories" query={memories} empty={empty}>
        {(memory) => <MemoryRow key={memory.id} memory={memory} mayWrite={mayWrite} />}
      </PagedListing>
      <MemoryDialog
        opened={(making && mayWrite) || edited !== undefined}
        onClose={close}
        workspaceId={workspace.id}
        tags={tags}
        memory={edited}
      />
    </>
  );
}
