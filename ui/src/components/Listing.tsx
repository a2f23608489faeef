import { Button, Group, Text } from "@mantine/core";
import type { ReactNode } from "react";

import { Rows } from "./Rows";
import { Failed, Loading } from "./states";

interface Query {
  isPending: boolean;
  error: unknown;
  refetch: () => unknown;
}

interface ListProps<T> {
  label: string;
  query: Query & { data: { items: T[] } | undefined };
  empty: ReactNode;
  children: (item: T) => ReactNode;
}

/** A list with its loading, empty and error states. */
export function Listing<T>({ label, query, empty, children }: ListProps<T>) {
  if (query.isPending) return <Loading />;
  if (!query.data) return <Failed error={query.error} retry={query.refetch} />;
  if (query.data.items.length === 0) return empty;
  return <Rows label={label}>{query.data.items.map(children)}</Rows>;
}

interface PagedProps<T> {
  label: string;
  query: Query & {
    data: { pages: { items: T[]; totalItems: number }[] } | undefined;
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    fetchNextPage: () => unknown;
  };
  empty: ReactNode;
  children: (item: T) => ReactNode;
}

/** The same for a list that is read page by page. */
export function PagedListing<T>({ query, ...rest }: PagedProps<T>) {
  const items = query.data?.pages.flatMap((page) => page.items) ?? [];
  const total = query.data?.pages.at(-1)?.totalItems ?? 0;
  const whole = { ...query, data: query.data && { items } };
  return (
    <>
      <Listing query={whole} {...rest} />
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
