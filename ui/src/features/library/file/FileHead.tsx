import { Button, CloseButton, Menu, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconDownload, IconPencil } from "@tabler/icons-react";

import { MoreMenu } from "@/components/MoreMenu";
import { Visible } from "@/features/gate/shared/Untrusted";

import { AskAgent } from "../browser/AskAgent";
import { contentOf, type FileText, type Go, nameOf } from "../browser/browsed";
import styles from "./File.module.css";
import { MoveFile } from "./MoveFile";
import { IGNORED, useFileVerbs } from "./useFileVerbs";
import { LONGEST_EDITED } from "./wholeText";

interface Props {
  workspace: string;
  path: string;
  /** Not there while it is on its way, or if it is gone. */
  file?: FileText;
  mayWrite: boolean;
  isEditing: boolean;
  go: Go;
  onMoved: (to: string) => void;
}

/** What a file is called, and what can be done with it. */
export function FileHead({ workspace, path, file, mayWrite, isEditing, go, onMoved }: Props) {
  const [moving, { open, close }] = useDisclosure();
  const verbs = useFileVerbs(workspace);
  const closeFile = () => go({ file: undefined, edit: undefined });
  const remove = () => void verbs.remove(path, file?.etag).then(closeFile, IGNORED);
  const isText = file && file.content !== null && file.size < LONGEST_EDITED;
  return (
    <div className={styles.head}>
      <Text fw={600} truncate title={path} className={styles.name}>
        <Visible>{nameOf(path)}</Visible>
      </Text>
      <div className={styles.verbs}>
        {mayWrite && isText && !isEditing && (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconPencil size={14} />}
            onClick={() => go({ edit: true })}
          >
            Edit
          </Button>
        )}
        <Button
          component="a"
          href={contentOf(workspace, path, { download: "true" })}
          download
          size="compact-sm"
          variant="default"
          leftSection={<IconDownload size={14} />}
        >
          Download
        </Button>
        {mayWrite && (
          <>
            <AskAgent workspace={workspace} path={path} kind="file" />
            <MoreMenu label={`More for ${nameOf(path)}`}>
              <Menu.Item onClick={open}>Move or rename…</Menu.Item>
              <Menu.Item onClick={remove} disabled={!file || verbs.isBusy}>
                Delete
              </Menu.Item>
            </MoreMenu>
            <MoveFile
              workspace={workspace}
              path={path}
              etag={file?.etag}
              opened={moving}
              onClose={close}
              onMoved={onMoved}
            />
          </>
        )}
        <CloseButton
          size="sm"
          className={styles.close}
          aria-label="Close the file"
          onClick={closeFile}
        />
      </div>
    </div>
  );
}
