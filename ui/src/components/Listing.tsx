import { Button, Group, Text } from "@mantine/core";
import type { ReactNode } from "react";

import { Rows } from "./Rows";
import { Loaded, Loading } from "./states";

interface Query {
  error: unknown;
  refetch: () => unknown;
}

interface ListProps<T> {
  label: string;
  query: Query & { data: { items: T[] } | undefined };
  empty: ReactNode;
  /** How many rows are expected, for the place that is kept. */
  expected?: number;
  children: (item: T) => ReactNode;
}

/** A list with its loading, empty and error states. */
export function Listing<T>({ label, query, empty, expected, children }: ListProps<T>) {
  return (
    <Loaded query={query} loading={<Loading rows={expected} />}>
      {({ items }) =>
        items.length === 0 ? empty : <Rows label={label}>{items.map(children)}</Rows>
      }
    </Loaded>
  );
}

interface PagedProps<T> extends Omit<ListProps<T>, "query"> {
  query: Query & {
    data: { pages: { items: T[]; totalItems: number }[] } | undefined;
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    fetchNextPage: () => unknown;
  };
}

/** The same for a list that is read page by page. */
export function PagedListing<T>({ query, ...rest }: PagedProps<T>) {
  const items = query.data?.pages.flatMap((page) => page.items) ?? [];
  const total = query.data?.pages.at(-1)?.totalItems ?? 0;
  const { error, refetch } = query;
  return (
    <>
      <Listing query={{ data: query.data && { items }, error, refetch }} {...rest} />
      {query.hasNextPage && (
        <Group mt="sm" gap="sm">
          <Button
            variant="default"
            size="xs"
            loading={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            Load more
          </Button>
          <Text size="sm" c="dimmed">
            {items.length} of {total}
          </Text>
        </Group>
      )}
    </>
  );
}
