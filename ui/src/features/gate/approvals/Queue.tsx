import { Button, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type RefObject, useRef, useState } from "react";

import { api, type Schemas } from "@/api/client";
import { byPage } from "@/api/queries";
import { Empty, Loaded } from "@/components/states";
import { TextLink } from "@/components/TextLink";

import styles from "./Card.module.css";
import { Outcome } from "./Outcome";
import { Question } from "./Question";
import { useAnswerKeys } from "./useAnswerKeys";
import { readingOf } from "./useAnswer";

type Approval = Schemas["ApprovalOut"];

const QUERY = { status: "pending", PageSize: 100 } as const;

/** What waits, the oldest first. Nothing moves under the pointer: new ones come below, answered ones stay. */
export function Queue() {
  const waiting = api.useInfiniteQuery(
    "get",
    "/api/v1/approvals",
    { params: { query: QUERY } },
    byPage,
  );
  useAnswerKeys();
  const { data, error, refetch, hasNextPage, isFetchingNextPage } = waiting;
  const items = data?.pages.flatMap((page) => page.items);
  return (
    <>
      {hasNextPage && (
        <Button
          variant="default"
          size="xs"
          mb="sm"
          loading={isFetchingNextPage}
          onClick={() => void waiting.fetchNextPage()}
        >
          Show older ones
        </Button>
      )}
      <Loaded query={{ data: items, error, refetch }}>
        {(found) => <Cards waiting={found} />}
      </Loaded>
    </>
  );
}

function Cards({ waiting }: { waiting: Approval[] }) {
  const shown = useSeen(waiting);
  const now = new Map(waiting.map((approval) => [approval.id, approval]));
  return (
    <>
      {shown.length > 0 && (
        <ul className={styles.cards} role="list" aria-label="Waiting">
          {shown.map(({ id }) => (
            <Card key={id} id={id} waiting={now.get(id)} />
          ))}
        </ul>
      )}
      {waiting.length === 0 && <NothingWaits more={shown.length > 0} />}
    </>
  );
}

/** All that waited since the page was opened, in order. */
function useSeen(waiting: Approval[]): Pick<Approval, "id" | "createdAt">[] {
  const [seen, setSeen] = useState<Pick<Approval, "id" | "createdAt">[]>([]);
  const fresh = waiting.filter(({ id }) => !seen.some((known) => known.id === id));
  if (fresh.length === 0) return seen;
  const all = [...seen, ...fresh].sort(
    (one, other) => one.createdAt.localeCompare(other.createdAt) || one.id.localeCompare(other.id),
  );
  setSeen(all.map(({ id, createdAt }) => ({ id, createdAt })));
  return all;
}

function Card({ id, waiting }: { id: string; waiting: Approval | undefined }) {
  const ref = useRef<HTMLLIElement>(null);
  return (
    <li
      ref={ref}
      className={styles.card}
      data-row
      data-approval
      data-waits={waiting ? true : undefined}
      tabIndex={-1}
    >
      {waiting ? (
        <Question
          approval={waiting}
          heading={<Name approval={waiting} />}
          onAnswered={() => keepFocus(ref)}
        />
      ) : (
        <Answered id={id} />
      )}
    </li>
  );
}

function Answered({ id }: { id: string }) {
  const approval = useQuery(readingOf(id));
  return (
    <Loaded query={approval} loading={<Text c="dimmed">…</Text>}>
      {(found) => <Outcome approval={found} heading={<Name approval={found} />} />}
    </Loaded>
  );
}

function Name({ approval: { id, title } }: { approval: Approval }) {
  return (
    <TextLink to="/approvals/$approvalId" params={{ approvalId: id }} inherit>
      {title}
    </TextLink>
  );
}

/** The pressed button goes; whoever uses the keyboard goes on from the card. */
const keepFocus = (ref: RefObject<HTMLElement | null>) =>
  ref.current?.focus({ preventScroll: true });

function NothingWaits({ more }: { more: boolean }) {
  if (more) {
    return (
      <Text c="dimmed" mt="md">
        Nothing else waits.
      </Text>
    );
  }
  const connect = (
    <Button component={Link} to="/settings/clients" variant="default">
      Connect an agent
    </Button>
  );
  return (
    <Empty title="Nothing waits for you" action={connect}>
      When an agent wants to do something that needs a person, it shows up here.
    </Empty>
  );
}
