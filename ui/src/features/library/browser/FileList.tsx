import { Text } from "@mantine/core";
import { IconFolder, IconNotebook } from "@tabler/icons-react";
import { useEffect, useRef } from "react";

import { When } from "@/components/When";
import { Visible } from "@/features/gate/shared/Untrusted";
import { sizeInWords } from "@/features/mail/reader/words";

import { type Put, useDrop } from "../upload/useDrop";
import type { Browsed, Go, LibraryFile } from "./browsed";
import { FileIcon } from "./FileIcon";
import styles from "./Library.module.css";
import { useShown } from "./useShown";

// As in the style sheet.
const LOOKS = { list: { height: 40 }, grid: { height: 124, width: 138 } };

interface Props {
  files: LibraryFile[];
  browsed: Browsed;
  go: Go;
  put?: Put;
  /** Reads more of them, if there are. */
  onEnd?: () => void;
}

/** Files and folders, one under the other or side by side; of very many, those that can be seen. */
export function FileList({ files, browsed, go, put, onEnd }: Props) {
  const list = useRef<HTMLDivElement>(null);
  const look = browsed.look ?? "list";
  const { first, end, before, after } = useShown(list, files.length, LOOKS[look]);
  const isAtEnd = end === files.length;
  useEffect(() => {
    if (isAtEnd) onEnd?.();
  }, [isAtEnd, onEnd]);
  return (
    <div ref={list} style={{ paddingTop: before, paddingBottom: after }}>
      <ul className={styles[look]} role="list" aria-label="Files and folders">
        {files.slice(first, end).map((file, at) => (
          <Entry
            key={file.path}
            file={file}
            at={first + at}
            count={files.length}
            isChosen={browsed.file === file.path}
            go={go}
            put={put}
          />
        ))}
      </ul>
    </div>
  );
}

interface EntryProps {
  file: LibraryFile;
  at: number;
  count: number;
  isChosen: boolean;
  go: Go;
  put?: Put;
}

function Entry({ file, at, count, isChosen, go, put }: EntryProps) {
  const { path, name, kind, size, modified } = file;
  const isFile = kind === "file";
  const drop = useDrop(isFile ? "" : path, put);
  const open = () =>
    go(
      isFile ? { file: path, edit: undefined } : { folder: path, file: undefined, edit: undefined },
    );
  return (
    <li data-row tabIndex={-1} aria-posinset={at + 1} aria-setsize={count}>
      <button
        type="button"
        className={styles.entry}
        aria-current={isChosen || undefined}
        data-row-link
        title={name}
        onClick={open}
        {...drop}
      >
        {isFile ? (
          <FileIcon path={path} />
        ) : kind === "notebook" ? (
          <IconNotebook size={18} stroke={1.5} aria-hidden />
        ) : (
          <IconFolder size={18} stroke={1.5} aria-hidden />
        )}
        <Text size="sm" truncate span className={styles.name}>
          <Visible>{name}</Visible>
        </Text>
        <Text size="xs" c="dimmed" span className={styles.size}>
          {size !== null && size !== undefined && sizeInWords(size)}
        </Text>
        <Text size="xs" c="dimmed" span className={styles.when}>
          {modified && <When at={modified} />}
        </Text>
      </button>
    </li>
  );
}
