import { Button } from "@mantine/core";
import { Link, useSearch } from "@tanstack/react-router";

import { api } from "@/api/client";
import { byPage } from "@/api/queries";
import { PagedListing } from "@/components/Listing";
import { Page } from "@/components/Page";
import { Empty, Loading } from "@/components/states";

import { ActionRow } from "./ActionRow";
import { Filters } from "./Filters";
import { Unknown } from "./Unknown";
import { asStatus } from "./words";

const UNKNOWN = { status: "unknown", PageSize: 100 } as const;

/** What agents and people changed, newest first, with the way back. */
export function ActivityPage() {
  const { caller, tool, status } = useSearch({ from: "/shell/activity" });
  const filtered = Boolean(caller ?? tool ?? status);
  const query = { caller_id: caller, tool, status: asStatus(status) };
  const actions = api.useInfiniteQuery("get", "/api/v1/actions", { params: { query } }, byPage);
  const unknown = api.useQuery("get", "/api/v1/actions", { params: { query: UNKNOWN } });
  const all = (
    <Button component={Link} to="/activity" variant="default">
      Show everything
    </Button>
  );
  const empty = filtered ? (
    <Empty title="There is nothing like that" action={all}>
      Choose something else above, or look at everything.
    </Empty>
  ) : (
    <Empty title="Nothing was changed yet">
      What agents and people do with tools shows up here, and most of it can be undone.
    </Empty>
  );
  return (
    <Page
      title="Activity"
      description="What agents and people changed, newest first. What can be undone has a button."
    >
      <Filters known={actions.data?.pages.flatMap((page) => page.items) ?? []} />
      {unknown.data && <Unknown actions={unknown.data.items} />}
      {/* Not before it is known what stands above: the list would jump. */}
      {unknown.isPending ? (
        <Loading />
      ) : (
        <PagedListing label="Activity" query={actions} empty={empty}>
          {(action) => <ActionRow key={action.id} action={action} />}
        </PagedListing>
      )}
    </Page>
  );
}
