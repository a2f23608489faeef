import { Button, Text } from "@mantine/core";
import { useMemo } from "react";

import { api } from "@/api/client";
import { statusOf } from "@/api/problem";
import { Empty, Loaded } from "@/components/states";

import { ScanState } from "../notebooks/ScanState";
import { UploadList } from "../upload/UploadList";
import { useDrop } from "../upload/useDrop";
import type { useUploads } from "../upload/useUploads";
import { type Browsed, FILES, type Go, type Workspace } from "./browsed";
import { FileList } from "./FileList";
import { FolderHead } from "./FolderHead";
import styles from "./Library.module.css";

interface Props {
  workspace: Workspace;
  browsed: Browsed;
  go: Go;
  held: ReturnType<typeof useUploads>;
}

/** What is in a folder, where files can be dropped. */
export function FolderPane({ workspace, browsed, go, held }: Props) {
  const folder = browsed.folder ?? "";
  const listing = api.useInfiniteQuery(
    "get",
    FILES,
    { params: { path: { workspace_id: workspace.id }, query: { path: folder } } },
    {
      initialPageParam: 0,
      pageParamName: "offset",
      getNextPageParam: (last) => last.nextOffset ?? undefined,
    },
  );
  const files = useMemo(() => listing.data?.pages.flatMap((page) => page.files), [listing.data]);
  const taken = useMemo(() => new Set(files?.map(({ path }) => path)), [files]);
  const { hasNextPage, isFetchingNextPage, fetchNextPage, error, refetch } = listing;
  const mayPut = folder !== "" && workspace.role !== "read";
  const put = mayPut ? held.put : undefined;
  const drop = useDrop(folder, put);
  const onEnd = useMemo(
    () => (hasNextPage && !isFetchingNextPage ? () => void fetchNextPage() : undefined),
    [hasNextPage, isFetchingNextPage, fetchNextPage],
  );
  const isToBe = statusOf(error) === 404 && folder.endsWith("/templates");
  const empty = (
    <Empty title={isToBe ? "There are no templates yet" : "Nothing is in this folder"}>
      {isToBe
        ? "A file that is made here can be what a new file begins with."
        : mayPut
          ? "Drop files here, upload some, or make a new one."
          : "Files that come here are shown."}
    </Empty>
  );
  return (
    <div className={styles.drop} {...drop}>
      <FolderHead workspace={workspace} folder={folder} go={go} put={put} />
      {folder && !folder.includes("/") && <ScanState workspace={workspace} notebook={folder} />}
      {isToBe ? (
        empty
      ) : (
        <Loaded query={{ data: files, error, refetch }}>
          {(known) =>
            known.length === 0 ? (
              empty
            ) : (
              <>
                <FileList files={known} browsed={browsed} go={go} put={put} onEnd={onEnd} />
                {hasNextPage && (
                  <Button
                    size="compact-sm"
                    variant="subtle"
                    color="gray"
                    m="sm"
                    loading={isFetchingNextPage}
                    onClick={() => void fetchNextPage()}
                  >
                    Load more
                  </Button>
                )}
                {!hasNextPage && listing.data?.pages.at(-1)?.more && (
                  <Text size="sm" c="dimmed" p="sm">
                    There is more in it than is shown. Search for the rest.
                  </Text>
                )}
              </>
            )
          }
        </Loaded>
      )}
      <UploadList held={held} taken={taken} />
    </div>
  );
}
