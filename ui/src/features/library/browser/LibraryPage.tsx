import { Drawer } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";

import { api } from "@/api/client";
import { Empty, Loaded } from "@/components/states";
import { useTitle } from "@/components/useTitle";
import { usePageKeys } from "@/keyboard/pageKeys";

import { FilePane } from "../file/FilePane";
import { isFiltered, isSearching, NO_FILTERS } from "../search/filters";
import { FoundFiles } from "../search/FoundFiles";
import { SearchFilters } from "../search/SearchFilters";
import { useUploads } from "../upload/useUploads";
import { type Browsed, type Go, useBrowsed, type Workspace } from "./browsed";
import { FolderPane } from "./FolderPane";
import { FolderTree } from "./FolderTree";
import styles from "./Library.module.css";
import { LibraryBar } from "./LibraryBar";

/** The files of the notebooks: folders left, what is in one in the middle, a file on the right. */
export function LibraryPage() {
  useTitle("Library");
  const { browsed, go } = useBrowsed();
  const workspaces = api.useQuery("get", "/api/v1/workspaces");
  const items = workspaces.data?.items ?? [];
  const here = items.find(({ id }) => id === browsed.workspace) ?? items[0];
  const [inTree, tree] = useDisclosure();
  const [filtering, filters] = useDisclosure(isFiltered(browsed));
  const isFiltering = filtering || isFiltered(browsed);
  usePageKeys({
    Escape: () => browsed.file && !browsed.edit && go({ file: undefined }),
  });
  return (
    <div className={styles.page} data-reading={browsed.file !== undefined || undefined}>
      <LibraryBar
        workspaces={items}
        here={here}
        browsed={browsed}
        go={go}
        onTree={tree.open}
        isFiltering={isFiltering}
        onFilter={() => {
          if (isFiltering) go(NO_FILTERS);
          if (isFiltering) filters.close();
          else filters.open();
        }}
      />
      <Loaded query={workspaces}>
        {() =>
          here ? (
            <Panes
              key={here.id}
              workspace={here}
              browsed={browsed}
              go={go}
              isFiltering={isFiltering}
              inTree={inTree}
              onTreeClose={tree.close}
            />
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

interface Props {
  workspace: Workspace;
  browsed: Browsed;
  go: Go;
  isFiltering: boolean;
  inTree: boolean;
  onTreeClose: () => void;
}

function Panes({ workspace, browsed, go, isFiltering, inTree, onTreeClose }: Props) {
  const held = useUploads(workspace.id);
  const choose = (folder: string) => {
    go({ folder, file: undefined, edit: undefined, q: undefined, ...NO_FILTERS });
    onTreeClose();
  };
  const tree = (
    <FolderTree
      workspace={workspace.id}
      here={browsed.folder ?? ""}
      onChoose={choose}
      put={workspace.role === "read" ? undefined : held.put}
    />
  );
  return (
    <div className={styles.panes}>
      <nav className={styles.left} aria-label="Folders">
        {tree}
      </nav>
      <Drawer
        opened={inTree}
        onClose={onTreeClose}
        title="Folders"
        size="85%"
        closeButtonProps={{ "aria-label": "Close the folders" }}
      >
        {tree}
      </Drawer>
      <section className={styles.middle} aria-label="Files" data-scrolls>
        {isFiltering && <SearchFilters workspace={workspace.id} browsed={browsed} go={go} />}
        {isSearching(browsed) ? (
          <FoundFiles workspace={workspace.id} browsed={browsed} go={go} />
        ) : (
          <FolderPane workspace={workspace} browsed={browsed} go={go} held={held} />
        )}
      </section>
      {browsed.file && (
        <section className={styles.right} aria-label="File">
          <FilePane
            key={browsed.file}
            workspace={workspace}
            path={browsed.file}
            isEditing={browsed.edit === true}
            go={go}
          />
        </section>
      )}
    </div>
  );
}
