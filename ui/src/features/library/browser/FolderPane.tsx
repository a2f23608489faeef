import { Button, FileButton, Text } from "@mantine/core";
import { IconFile, IconFolder, IconUpload } from "@tabler/icons-react";
import { type DragEvent, useState } from "react";

import { api, type Schemas } from "@/api/client";
import { Empty, Loaded } from "@/components/states";
import { When } from "@/components/When";
import { sizeInWords } from "@/features/mail/reader/words";

import { AskAgent } from "./AskAgent";
import styles from "./Library.module.css";
import { ScanState } from "./ScanState";
import { type Browsed, FILES, folderOf, type LibraryFile, useFileVerbs } from "./useLibrary";

interface Props {
  workspace: Schemas["WorkspaceOut"];
  browsed: Browsed;
  go: (change: Browsed) => void;
}

/** What is in a folder, where files can be dropped. */
export function FolderPane({ workspace, browsed, go }: Props) {
  const folder = browsed.folder ?? "";
  const listing = api.useQuery("get", FILES, {
    params: { path: { workspace_id: workspace.id }, query: { path: folder } },
  });
  const { upload } = useFileVerbs(workspace.id);
  const [over, setOver] = useState(false);
  const mayPut = folder !== "" && workspace.role !== "read";
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    if (mayPut) void upload(folder, [...event.dataTransfer.files]);
  };
  return (
    <div
      className={styles.drop}
      data-over={(over && mayPut) || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <div className={styles.head}>
        <Text fw={600} truncate>
          {folder || "All notebooks"}
        </Text>
        {folder && (
          <Button
            size="compact-sm"
            variant="subtle"
            color="gray"
            onClick={() => go({ folder: folderOf(folder) || undefined, file: undefined })}
          >
            Up
          </Button>
        )}
        {mayPut && (
          <>
            <FileButton multiple onChange={(files) => void upload(folder, files)}>
              {(props) => (
                <Button
                  {...props}
                  size="compact-sm"
                  variant="default"
                  leftSection={<IconUpload size={14} />}
                >
                  Upload
                </Button>
              )}
            </FileButton>
            <AskAgent workspace={workspace.id} path={folder} kind="folder" />
          </>
        )}
      </div>
      {folder && !folder.includes("/") && <ScanState workspace={workspace} notebook={folder} />}
      <Loaded query={listing}>
        {({ files, more }) =>
          files.length === 0 ? (
            <Empty title="Nothing is in this folder">
              {mayPut ? "Drop a file here, or upload one." : "Files that come here are shown."}
            </Empty>
          ) : (
            <>
              <ul
                className={browsed.look === "grid" ? styles.grid : styles.list}
                role="list"
                aria-label="Files and folders"
              >
                {files.map((file) => (
                  <Entry
                    key={file.path}
                    file={file}
                    isChosen={browsed.file === file.path}
                    go={go}
                  />
                ))}
              </ul>
              {more && (
                <Text size="sm" c="dimmed" p="sm">
                  There is more in it than is shown. Search for the rest.
                </Text>
              )}
            </>
          )
        }
      </Loaded>
    </div>
  );
}

interface EntryProps {
  file: LibraryFile;
  isChosen: boolean;
  go: (change: Browsed) => void;
}

function Entry({ file, isChosen, go }: EntryProps) {
  const isFile = file.kind === "file";
  const Icon = isFile ? IconFile : IconFolder;
  const open = () => go(isFile ? { file: file.path } : { folder: file.path, file: undefined });
  return (
    <li data-row tabIndex={-1}>
      <button
        type="button"
        className={styles.entry}
        aria-current={isChosen || undefined}
        data-row-link
        onClick={open}
      >
        <Icon size={18} stroke={1.5} aria-hidden />
        <Text size="sm" truncate span className={styles.name}>
          {file.name}
        </Text>
        <Text size="xs" c="dimmed" span>
          {file.size !== null && file.size !== undefined && sizeInWords(file.size)}
        </Text>
        <Text size="xs" c="dimmed" span className={styles.when}>
          {file.modified && <When at={file.modified} />}
        </Text>
      </button>
    </li>
  );
}
