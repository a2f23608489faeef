import { Stack } from "@mantine/core";

import { Listing, PagedListing } from "@/components/Listing";
import { Row } from "@/components/Rows";
import { Empty } from "@/components/states";

const nothing = { data: undefined, error: null, refetch: () => {} };
const empty = <Empty title="Nothing here">Make the first one.</Empty>;
const row = (name: string) => <Row key={name} title={name} meta={["a fact", "another"]} />;

/** A list on its way, without anything, not readable, and by page. */
export function Lists() {
  const paged = {
    ...nothing,
    data: { pages: [{ items: ["One", "Two"], totalItems: 24 }] },
    hasNextPage: true,
    isFetchingNextPage: false,
    fetchNextPage: () => {},
  };
  return (
    <Stack>
      <Listing label="On its way" query={nothing} empty={empty} expected={1}>
        {row}
      </Listing>
      <Listing label="Empty" query={{ ...nothing, data: { items: [] } }} empty={empty}>
        {row}
      </Listing>
      <Listing label="Failed" query={{ ...nothing, error: new TypeError() }} empty={empty}>
        {row}
      </Listing>
      <PagedListing label="By page" query={paged} empty={empty}>
        {row}
      </PagedListing>
    </Stack>
  );
}
