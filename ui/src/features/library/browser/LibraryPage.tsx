import { Button, NativeSelect, SegmentedControl, TextInput, Title } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconArrowLeft, IconSearch } from "@tabler/icons-react";

import { api } from "@/api/client";
import { Empty, Loaded } from "@/components/states";
import { useTitle } from "@/components/useTitle";
import { usePageKeys } from "@/keyboard/pageKeys";

import { FilePane } from "./FilePane";
import { FolderPane } from "./FolderPane";
import { FoundFiles } from "./FoundFiles";
import styles from "./Library.module.css";
import { FolderTree } from "./FolderTree";
import { useBrowsed } from "./useLibrary";

/** The files of the notebooks: folders left, what is in one in the middle, a file on the right. */
export function LibraryPage() {
  useTitle("Library");
  const { browsed, go } = useBrowsed();
  const workspaces = api.useQuery("get", "/api/v1/workspaces");
  const items = workspaces.data?.items ?? [];
  const here = items.find(({ id }) => id === browsed.workspace) ?? items[0];
  const search = useDebouncedCallback((q: string) => go({ q: q.trim() || undefined }), 250);
  const close = () => go({ file: undefined });
  usePageKeys({ Escape: () => browsed.file && close() });
  return (
    <div className={styles.page} data-reading={browsed.file !== undefined || undefined}>
      <div className={styles.bar}>
        <Title order={1} tabIndex={-1}>
          Library
        </Title>
        <Button
          className={styles.back}
          size="compact-sm"
          variant="subtle"
          leftSection={<IconArrowLeft size={15} />}
          onClick={close}
        >
          Back to the folder
        </Button>
        {items.length > 1 && (
          <NativeSelect
            aria-label="Workspace"
            data={items.map(({ id, name }) => ({ value: id, label: name }))}
            value={here?.id}
            onChange={(event) =>
              go({ workspace: event.currentTarget.value, folder: undefined, file: undefined })
            }
          />
        )}
        <TextInput
          className={styles.search}
          type="search"
          aria-label="Search in files"
          placeholder="Search in names and texts"
          leftSection={<IconSearch size={15} />}
          defaultValue={browsed.q ?? ""}
          data-search
          onChange={(event) => search(event.currentTarget.value)}
        />
        <SegmentedControl
          size="xs"
          aria-label="Look"
          data={[
            { value: "list", label: "List" },
            { value: "grid", label: "Grid" },
          ]}
          value={browsed.look ?? "list"}
          onChange={(look) => go({ look: look === "grid" ? "grid" : undefined })}
        />
      </div>
      <Loaded query={workspaces}>
        {() =>
          here ? (
            <div className={styles.panes} key={here.id}>
              <nav className={styles.left} aria-label="Folders">
                <FolderTree workspace={here.id} browsed={browsed} go={go} />
              </nav>
              <section className={styles.middle} aria-label="Files">
                {browsed.q ? (
                  <FoundFiles workspace={here.id} words={browsed.q} go={go} />
                ) : (
                  <FolderPane workspace={here} browsed={browsed} go={go} />
                )}
              </section>
              {browsed.file && (
                <section className={styles.right} aria-label="File">
                  <FilePane key={browsed.file} workspace={here} path={browsed.file} go={go} />
                </section>
              )}
            </div>
          ) : (
            <Empty title="You are in no workspace">
              Make one under Workspaces: files belong to a workspace.
            </Empty>
          )
        }
      </Loaded>
    </div>
  );
}
