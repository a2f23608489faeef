import { ActionIcon, Button, NativeSelect, TextInput, Title, Tooltip } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconMessagePlus, IconSearch } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useState } from "react";

import { Empty, Failed, Loading } from "@/components/states";

import type { Thread } from "../thread/useThread";
import { tagsOf } from "./NameDialog";
import { ThreadRow } from "./ThreadRow";
import styles from "./ThreadList.module.css";
import { useThreads, type Wanted } from "./useThreads";

const PLACES: { value: Wanted["status"]; label: string }[] = [
  { value: "active", label: "Conversations" },
  { value: "archived", label: "Archived" },
  { value: "trashed", label: "Deleted" },
];
const PAUSE = 200;

/** All conversations: found by their words and tags, the pinned ones first. */
export function ThreadList({ isAlone }: { isAlone: boolean }) {
  const [typed, setTyped] = useState("");
  const [q] = useDebouncedValue(typed.trim(), PAUSE);
  const [status, setStatus] = useState<Wanted["status"]>("active");
  const [tag, setTag] = useState<string>();
  const { pinned, rest, error, refetch, hasMore, more, isMore } = useThreads({ q, tag, status });
  const all = [...pinned, ...(rest ?? [])];
  return (
    <section className={styles.list} aria-label="Conversations">
      <div className={styles.head}>
        <Title order={isAlone ? 1 : 2} tabIndex={-1} className={styles.title}>
          Chat
        </Title>
        <Tooltip label="New conversation">
          <ActionIcon
            size={32}
            variant="light"
            aria-label="New conversation"
            renderRoot={(props) => <Link to="/chat/new" {...props} />}
          >
            <IconMessagePlus size={18} />
          </ActionIcon>
        </Tooltip>
      </div>
      <TextInput
        size="xs"
        type="search"
        aria-label="Search in conversations"
        placeholder="Search"
        leftSection={<IconSearch size={14} />}
        maxLength={200}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <div className={styles.filters}>
        <NativeSelect
          size="xs"
          aria-label="Which conversations"
          data={PLACES}
          value={status}
          onChange={(event) => setStatus(event.currentTarget.value as Wanted["status"])}
        />
        <TagSelect threads={all} tag={tag} onTag={setTag} />
      </div>
      {error ? (
        <Failed error={error} retry={refetch} />
      ) : !rest ? (
        <Loading rows={6} />
      ) : all.length === 0 ? (
        <Nothing isSearch={q !== "" || tag !== undefined} status={status} />
      ) : (
        <ul className={styles.rows} role="list" aria-label="Conversations">
          {all.map((thread) => (
            <ThreadRow key={thread.id} thread={thread} />
          ))}
        </ul>
      )}
      {hasMore && (
        <Button size="xs" variant="subtle" loading={isMore} onClick={more}>
          Show more
        </Button>
      )}
    </section>
  );
}

interface TagSelectProps {
  threads: Thread[];
  tag: string | undefined;
  onTag: (tag: string | undefined) => void;
}

function TagSelect({ threads, tag, onTag }: TagSelectProps) {
  const known = [...new Set([...threads.flatMap(tagsOf), ...(tag ? [tag] : [])])].toSorted();
  if (known.length === 0) return null;
  return (
    <NativeSelect
      size="xs"
      aria-label="Tag"
      data={[{ value: "", label: "Any tag" }, ...known]}
      value={tag ?? ""}
      onChange={(event) => onTag(event.currentTarget.value || undefined)}
    />
  );
}

function Nothing({ isSearch, status }: { isSearch: boolean; status: Wanted["status"] }) {
  if (isSearch) return <Empty title="Nothing was found">Try other words, or another tag.</Empty>;
  if (status !== "active") return <Empty title="Nothing is here" />;
  return <Empty title="No conversations yet">Say something to an agent to begin one.</Empty>;
}
