import { Button, NativeSelect, SegmentedControl, TextInput, Title } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import {
  IconArrowLeft,
  IconBinaryTree,
  IconFilter,
  IconLayoutGrid,
  IconList,
  IconSearch,
} from "@tabler/icons-react";
import { useEffect, useRef } from "react";

import type { Browsed, Go, Workspace } from "./browsed";
import styles from "./Library.module.css";

interface Props {
  workspaces: Workspace[];
  here?: Workspace;
  browsed: Browsed;
  go: Go;
  onTree: () => void;
  isFiltering: boolean;
  onFilter: () => void;
}

/** What stands over the panes: which workspace, what is looked for, and how it is shown. */
export function LibraryBar(props: Props) {
  const { workspaces, here, browsed, go, onTree, isFiltering, onFilter } = props;
  return (
    <div className={styles.bar}>
      <Title order={1} tabIndex={-1}>
        Library
      </Title>
      <Button
        className={styles.back}
        size="compact-sm"
        variant="subtle"
        leftSection={<IconArrowLeft size={15} />}
        onClick={() => go({ file: undefined, edit: undefined })}
      >
        Back to the list
      </Button>
      <Button
        className={styles.toTree}
        size="compact-sm"
        variant="default"
        leftSection={<IconBinaryTree size={15} />}
        onClick={onTree}
      >
        Folders
      </Button>
      {workspaces.length > 1 && (
        <NativeSelect
          aria-label="Workspace"
          data={workspaces.map(({ id, name }) => ({ value: id, label: name }))}
          value={here?.id}
          onChange={(event) =>
            go({
              workspace: event.currentTarget.value,
              folder: undefined,
              file: undefined,
              edit: undefined,
              within: undefined,
              tag: undefined,
            })
          }
        />
      )}
      <SearchBox q={browsed.q} go={go} />
      <Button
        size="compact-sm"
        variant={isFiltering ? "light" : "default"}
        leftSection={<IconFilter size={15} />}
        aria-expanded={isFiltering}
        onClick={onFilter}
      >
        Filter
      </Button>
      <SegmentedControl
        size="xs"
        aria-label="Look"
        data={[
          { value: "list", label: <IconList size={15} aria-label="List" /> },
          { value: "grid", label: <IconLayoutGrid size={15} aria-label="Grid" /> },
        ]}
        value={browsed.look ?? "list"}
        onChange={(look) => go({ look: look === "grid" ? "grid" : undefined })}
      />
    </div>
  );
}

function SearchBox({ q, go }: { q?: string; go: Go }) {
  const box = useRef<HTMLInputElement>(null);
  const search = useDebouncedCallback((words: string) => go({ q: words.trim() || undefined }), 250);
  // A link or the way back may ask for other words than those that stand here.
  useEffect(() => {
    const shown = box.current;
    if (shown && shown.value.trim() !== (q ?? "") && document.activeElement !== shown)
      shown.value = q ?? "";
  }, [q]);
  return (
    <TextInput
      ref={box}
      className={styles.search}
      type="search"
      aria-label="Search in files"
      placeholder="Search in names and texts"
      leftSection={<IconSearch size={15} />}
      defaultValue={q ?? ""}
      maxLength={200}
      data-search
      onChange={(event) => search(event.currentTarget.value)}
    />
  );
}
