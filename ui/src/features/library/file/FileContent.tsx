import { Button, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";

import { api, http } from "@/api/client";
import { When } from "@/components/When";
import type { Held } from "@/features/cases/preview/content";
import { Download } from "@/features/cases/preview/Download";
import { Pdf } from "@/features/cases/preview/Pdf";
import previews from "@/features/cases/preview/Preview.module.css";
import { TextView } from "@/features/cases/preview/TextView";
import { shapeOf } from "@/features/cases/words";
import { sizeInWords } from "@/features/mail/reader/words";

import { contentOf, FILES, type FileText, nameOf } from "../browser/browsed";
import { kindOf } from "../browser/kinds";
import styles from "./File.module.css";
import { bodyOf, extractedIn, stateInWords } from "./words";
import { wholeText } from "./wholeText";

interface Props {
  workspace: string;
  file: FileText;
}

/** What a file holds, as what it is. Nothing of it can run here: a page or a drawing is shown as its text. */
export function FileContent({ workspace, file }: Props) {
  const encoding = file.content === null ? "binary" : "utf8";
  const shape = shapeOf({ mimeType: file.type, encoding });
  const shown = heldOf(workspace, file);
  const isSeen = shape === "picture" || shape === "pdf";
  return (
    <>
      <Text size="xs" c="dimmed" mb="sm">
        {sizeInWords(file.size)}, changed <When at={file.modified} />
      </Text>
      {shape === "picture" ? (
        <img className={previews.picture} src={shown.address} alt={shown.title} />
      ) : shape === "pdf" ? (
        <Pdf key={file.etag} held={shown} />
      ) : (
        file.content !== null && <Written workspace={workspace} file={file} />
      )}
      {(isSeen || file.content === null) && (
        <Extracted
          workspace={workspace}
          path={file.path}
          otherwise={isSeen ? null : <Download held={shown} />}
        />
      )}
    </>
  );
}

function Written({ workspace, file }: Props) {
  const [all, setAll] = useState(false);
  const whole = useQuery({ ...wholeText(workspace, file), enabled: all });
  const shape = shapeOf({ mimeType: file.type, encoding: "utf8" });
  const text = bodyOf({ ...file, content: whole.data ?? file.content }, shape);
  return (
    <div className={kindOf(file.path) === "code" ? styles.code : undefined}>
      <TextView text={text} shape={shape === "html" ? "text" : shape} />
      {file.nextOffset && !whole.data && (
        <Button
          size="compact-sm"
          variant="default"
          mt="sm"
          loading={whole.isFetching}
          onClick={() => setAll(true)}
        >
          Only the beginning is shown. Show more
        </Button>
      )}
    </div>
  );
}

interface ExtractedProps {
  workspace: string;
  path: string;
  /** What is shown where there is no text. */
  otherwise: ReactNode;
}

/** The text that was read in something that is no text, or why there is none. */
function Extracted({ workspace, path, otherwise }: ExtractedProps) {
  const { data } = api.useQuery("get", `${FILES}/details`, {
    params: { path: { workspace_id: workspace }, query: { path } },
  });
  if (!data) return otherwise;
  const texts = Object.entries(data.texts).filter(([, text]) => text.trim());
  if (texts.length === 0) {
    return (
      <>
        {otherwise}
        <Text size="sm" c="dimmed" mt="md" role="status">
          {stateInWords(data)}
        </Text>
      </>
    );
  }
  return texts.map(([by, text]) => (
    <section key={by} className={styles.extracted} aria-label={extractedIn(by)}>
      <Text size="sm" fw={600}>
        {extractedIn(by)}
      </Text>
      <TextView text={text} shape="text" />
    </section>
  ));
}

function heldOf(workspace: string, { path, etag, type, size }: FileText): Held {
  return {
    title: nameOf(path),
    mimeType: type,
    size,
    address: contentOf(workspace, path, { r: etag }),
    download: contentOf(workspace, path, { download: "true" }),
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
