import { Button, Tabs, Text } from "@mantine/core";
import { IconDownload, IconTrash } from "@tabler/icons-react";

import { api, http, type Schemas } from "@/api/client";
import { Loaded } from "@/components/states";
import { When } from "@/components/When";
import type { Held } from "@/features/cases/preview/content";
import { Download } from "@/features/cases/preview/Download";
import { Pdf } from "@/features/cases/preview/Pdf";
import previews from "@/features/cases/preview/Preview.module.css";
import { TextView } from "@/features/cases/preview/TextView";
import { type Shape, shapeOf } from "@/features/cases/words";
import { Visible } from "@/features/gate/shared/Untrusted";
import { sizeInWords } from "@/features/mail/reader/words";

import { AskAgent } from "./AskAgent";
import { FileProperties } from "./FileProperties";
import { FileVersions } from "./FileVersions";
import styles from "./Library.module.css";
import { MoveFile } from "./MoveFile";
import { type Browsed, FILES, type FileText, IGNORED, nameOf, useFileVerbs } from "./useLibrary";

interface Props {
  workspace: Schemas["WorkspaceOut"];
  path: string;
  go: (change: Browsed) => void;
}

/** One file: what it holds, its properties and its versions. */
export function FilePane({ workspace, path, go }: Props) {
  const file = api.useQuery("get", `${FILES}/text`, {
    params: { path: { workspace_id: workspace.id }, query: { path } },
  });
  const mayWrite = workspace.role !== "read";
  const verbs = useFileVerbs(workspace.id);
  const move = (to: string) =>
    verbs.move(path, to, file.data?.etag).then((now) => go({ file: now ?? undefined }));
  const remove = () =>
    void verbs.remove(path, file.data?.etag).then(() => go({ file: undefined }), IGNORED);
  return (
    <>
      <div className={styles.head}>
        <Text fw={600} truncate title={path}>
          <Visible>{nameOf(path)}</Visible>
        </Text>
        <Button
          component="a"
          href={held(workspace.id, path, file.data).download}
          download
          size="compact-sm"
          variant="default"
          leftSection={<IconDownload size={14} />}
        >
          Download
        </Button>
        {mayWrite && (
          <>
            <AskAgent workspace={workspace.id} path={path} kind="file" />
            <MoveFile path={path} isBusy={verbs.isBusy} move={move} />
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<IconTrash size={14} />}
              disabled={verbs.isBusy}
              onClick={remove}
            >
              Delete
            </Button>
          </>
        )}
      </div>
      <Tabs defaultValue="content" keepMounted={false} className={styles.tabs}>
        <Tabs.List>
          <Tabs.Tab value="content">Content</Tabs.Tab>
          <Tabs.Tab value="properties">Properties</Tabs.Tab>
          <Tabs.Tab value="versions">Versions</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="content" className={styles.panel}>
          <Loaded query={file}>
            {(shown) => <Content workspace={workspace.id} file={shown} />}
          </Loaded>
        </Tabs.Panel>
        <Tabs.Panel value="properties" className={styles.panel}>
          <Loaded query={file}>
            {(shown) => (
              <FileProperties workspace={workspace.id} file={shown} mayWrite={mayWrite} />
            )}
          </Loaded>
        </Tabs.Panel>
        <Tabs.Panel value="versions" className={styles.panel}>
          <FileVersions workspace={workspace.id} path={path} mayWrite={mayWrite} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

function Content({ workspace, file }: { workspace: string; file: FileText }) {
  const encoding = file.content === null ? "binary" : "utf8";
  const shape = shapeOf({ mimeType: file.type, encoding });
  const shown = held(workspace, file.path, file);
  return (
    <>
      <Text size="xs" c="dimmed" mb="sm">
        {sizeInWords(file.size)}, changed <When at={file.modified} />
        {file.nextOffset ? ". Only the beginning is shown." : ""}
      </Text>
      {shape === "picture" ? (
        <img className={previews.picture} src={shown.address} alt={shown.title} />
      ) : shape === "pdf" ? (
        <Pdf key={file.etag} held={shown} />
      ) : file.content === null ? (
        <Download held={shown} />
      ) : (
        <TextView text={bodyOf(file, shape)} shape={shape === "html" ? "text" : shape} />
      )}
    </>
  );
}

/** A document without the properties at its top, which have a page of their own. */
function bodyOf({ content, properties }: FileText, shape: Shape): string {
  const text = content ?? "";
  if (shape !== "markdown" || !properties) return text;
  return text.replace(/^---[ \t]*\r?\n[^]*?^(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/m, "");
}

function held(workspace: string, path: string, file?: FileText): Held {
  const base = `/api/v1/workspaces/${workspace}/files/content?path=${encodeURIComponent(path)}`;
  const etag = file?.etag ?? "";
  return {
    title: nameOf(path),
    mimeType: file?.type,
    size: file?.size ?? 0,
    address: `${base}&r=${etag}`,
    download: `${base}&download=true`,
    bytes: {
      queryKey: ["file content", workspace, path, etag],
      queryFn: async () => {
        const { data, error } = await http.GET(`${FILES}/content`, {
          params: { path: { workspace_id: workspace }, query: { path } },
          parseAs: "arrayBuffer",
        });
        if (!data) throw error;
        return data;
      },
    },
  };
}
