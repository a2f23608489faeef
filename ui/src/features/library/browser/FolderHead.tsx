import { Button, FileButton } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconFilePlus, IconUpload } from "@tabler/icons-react";

import type { Put } from "../upload/useDrop";
import { AskAgent } from "./AskAgent";
import { Breadcrumb } from "./Breadcrumb";
import type { Go, Workspace } from "./browsed";
import styles from "./Library.module.css";
import { NewFile } from "./NewFile";

interface Props {
  workspace: Workspace;
  folder: string;
  go: Go;
  /** Only where files may be put. */
  put?: Put;
}

/** Where one is, and what can be done there. */
export function FolderHead({ workspace, folder, go, put }: Props) {
  const [opened, { open, close }] = useDisclosure();
  return (
    <div className={styles.head}>
      <Breadcrumb folder={folder} go={go} />
      {put && (
        <div className={styles.verbs}>
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconFilePlus size={14} />}
            onClick={open}
          >
            New file
          </Button>
          <FileButton
            multiple
            onChange={(files) =>
              put(
                folder,
                files.map((file) => ({ file, path: file.name })),
              )
            }
          >
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
          <NewFile
            workspace={workspace.id}
            folder={folder}
            opened={opened}
            onClose={close}
            onMade={(file) => go({ file, edit: true })}
          />
        </div>
      )}
    </div>
  );
}
