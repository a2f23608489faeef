import { Button } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconDownload } from "@tabler/icons-react";
import { useSearch } from "@tanstack/react-router";
import { useState } from "react";

import { api } from "@/api/client";
import { byPage } from "@/api/queries";
import { PagedListing } from "@/components/Listing";
import { Page } from "@/components/Page";
import { Empty } from "@/components/states";
import { useMe } from "@/features/identity/useMe";
import { useDialog } from "@/routes/useDialog";

import { EntryPanel } from "./EntryPanel";
import { EntryRow } from "./EntryRow";
import { FilterBar } from "./FilterBar";
import { asQuery, EVERYTHING, isFiltered } from "./filters";
import { Integrity } from "./Integrity";
import { begunAndEnded } from "./words";

const OFTEN = 4_000;
const DESCRIPTION =
  "Every call that reached the gate, newest first: who asked for what, what was decided, and why. It is only ever added to.";

/** Everything that was asked of the gate. */
export function AuditPage() {
  const { isAdmin } = useMe();
  const [filters, setFilters] = useState(EVERYTHING);
  const [settled] = useDebouncedValue(filters, 200);
  const { dialog } = useSearch({ strict: false });
  const [, { close }] = useDialog();
  const entries = api.useInfiniteQuery(
    "get",
    "/api/v1/audit",
    { params: { query: asQuery(settled) } },
    {
      ...byPage,
      // It writes no events: they would be as many again. All pages are read, so more of them are read less often.
      refetchInterval: (query) => OFTEN * Math.max(1, query.state.data?.pages.length ?? 1),
    },
  );
  const ended = begunAndEnded(entries.data?.pages.flatMap((page) => page.items) ?? []);
  const all = (
    <Button variant="default" onClick={() => setFilters(EVERYTHING)}>
      Show everything
    </Button>
  );
  const empty = isFiltered(filters) ? (
    <Empty title="There is no such entry" action={all}>
      Search for something else, or take a filter away.
    </Empty>
  ) : (
    <Empty title="Nothing has been asked of the gate yet">
      The first call of an agent, an MCP client or a person shows up here within seconds.
    </Empty>
  );
  return (
    <Page title="Audit" description={DESCRIPTION} actions={isAdmin && <Export />}>
      {isAdmin && <Integrity />}
      <FilterBar filters={filters} onChange={setFilters} />
      <PagedListing label="Entries" query={entries} expected={8} empty={empty}>
        {(entry) => !ended.has(entry) && <EntryRow key={entry.id} entry={entry} />}
      </PagedListing>
      <EntryPanel entryId={dialog} onClose={close} />
    </Page>
  );
}

function Export() {
  return (
    <Button
      component="a"
      href="/api/v1/audit/export"
      download="audit.jsonl"
      variant="default"
      leftSection={<IconDownload size={16} />}
    >
      Export
    </Button>
  );
}
