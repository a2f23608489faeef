import { Tabs } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";

import { api } from "@/api/client";
import { statusOf } from "@/api/problem";
import { Failed, Loaded } from "@/components/states";
import { useDraftKey } from "@/drafts/drafts";

import { FILES, type FileText, type Go, type Workspace } from "../browser/browsed";
import { drafts } from "./drafts";
import styles from "./File.module.css";
import { FileContent } from "./FileContent";
import { FileEditor } from "./FileEditor";
import { FileHead } from "./FileHead";
import { FileProperties } from "./FileProperties";
import { FileTags } from "./FileTags";
import { FileVersions } from "./FileVersions";
import { SimilarFiles } from "./SimilarFiles";
import { wholeText } from "./wholeText";

interface Props {
  workspace: Workspace;
  path: string;
  isEditing: boolean;
  go: Go;
}

/** One file: what it holds, its tags, its properties, its versions and what is like it. */
export function FilePane({ workspace, path, isEditing, go }: Props) {
  const { id, role } = workspace;
  const file = api.useQuery("get", `${FILES}/text`, {
    params: { path: { workspace_id: id }, query: { path } },
  });
  const mayWrite = role !== "read";
  const keyOf = useDraftKey();
  const key = keyOf(`${id}/${path}`);
  const isDraft = drafts.useKept(key) !== undefined;
  const isGone = statusOf(file.error) === 404;
  const editor = {
    workspace: id,
    path,
    draftKey: key,
    onClose: () => go({ edit: undefined }),
    onOther: (other: string) => go({ file: other, edit: undefined }),
  };
  const moved = (to: string) => {
    const written = drafts.kept(key);
    if (written) {
      drafts.keep(keyOf(`${id}/${to}`), written);
      drafts.keep(key, null);
    }
    go({ file: to });
  };
  const shown = isGone ? undefined : file.data;
  return (
    <>
      <FileHead
        workspace={id}
        path={path}
        file={shown}
        mayWrite={mayWrite}
        isEditing={isEditing || isDraft}
        go={go}
        onMoved={moved}
      />
      {shown && (
        <FileTags
          workspace={id}
          path={path}
          properties={shown.properties}
          mayWrite={mayWrite}
          go={go}
        />
      )}
      {mayWrite && isDraft && isGone ? (
        <div className={styles.panel}>
          <FileEditor {...editor} now={null} />
        </div>
      ) : mayWrite && (isEditing || isDraft) && shown && shown.content !== null ? (
        <div className={styles.panel}>
          <Editing {...editor} file={shown} />
        </div>
      ) : (
        <Tabs defaultValue="content" keepMounted={false} className={styles.tabs}>
          <Tabs.List>
            <Tabs.Tab value="content">Content</Tabs.Tab>
            <Tabs.Tab value="properties">Properties</Tabs.Tab>
            <Tabs.Tab value="versions">Versions</Tabs.Tab>
            <Tabs.Tab value="similar">Similar</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="content" className={styles.panel}>
            <Loaded query={file}>{(now) => <FileContent workspace={id} file={now} />}</Loaded>
          </Tabs.Panel>
          <Tabs.Panel value="properties" className={styles.panel}>
            <Loaded query={file}>
              {(now) => <FileProperties workspace={id} file={now} mayWrite={mayWrite} />}
            </Loaded>
          </Tabs.Panel>
          <Tabs.Panel value="versions" className={styles.panel}>
            <FileVersions workspace={id} path={path} mayWrite={mayWrite} />
          </Tabs.Panel>
          <Tabs.Panel value="similar" className={styles.panel}>
            <SimilarFiles workspace={id} path={path} go={go} />
          </Tabs.Panel>
        </Tabs>
      )}
    </>
  );
}

interface EditingProps {
  workspace: string;
  path: string;
  draftKey: string;
  file: FileText;
  onClose: () => void;
  onOther: (path: string) => void;
}

/** The editor, once the whole text is there. */
function Editing({ file, ...rest }: EditingProps) {
  const whole = useQuery(wholeText(rest.workspace, file));
  if (whole.error) return <Failed error={whole.error} retry={whole.refetch} />;
  // While another text comes, what is being written stays where it is.
  if (whole.data === undefined && drafts.kept(rest.draftKey) === undefined) return null;
  return <FileEditor {...rest} now={{ file, text: whole.data ?? file.content ?? "" }} />;
}
