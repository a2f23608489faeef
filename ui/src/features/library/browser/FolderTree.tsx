import { ActionIcon, Text } from "@mantine/core";
import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import { useState } from "react";

import { api, type Schemas } from "@/api/client";
import { Loaded } from "@/components/states";
import { Visible } from "@/features/gate/shared/Untrusted";

import { type Put, useDrop } from "../upload/useDrop";
import { FILES, nameOf } from "./browsed";
import styles from "./Library.module.css";

interface Props {
  workspace: string;
  /** The folder that is shown, or chosen. */
  here: string;
  onChoose: (folder: string) => void;
  /** Puts files that are dropped on a folder there. */
  put?: Put;
}

/** Notebooks and their folders, with how many files lie in each; a folder is read when one looks into it. */
export function FolderTree(props: Props) {
  return <Within {...props} path="" />;
}

function Within({ path, ...props }: Props & { path: string }) {
  const tree = api.useQuery("get", `${FILES}/tree`, {
    params: { path: { workspace_id: props.workspace }, query: { path } },
  });
  return (
    <Loaded query={tree} loading={<Note>Looking…</Note>}>
      {({ folders, more }) => (
        <>
          <ul className={styles.tree} role="list" aria-label={path ? nameOf(path) : "Notebooks"}>
            {folders.map((folder) => (
              <Node key={folder.path} {...props} folder={folder} />
            ))}
          </ul>
          {more && <Note>There are more folders than are shown here.</Note>}
        </>
      )}
    </Loaded>
  );
}

function Node({ folder, ...props }: Props & { folder: Schemas["FolderNodeOut"] }) {
  const { here, onChoose, put } = props;
  const { path, name, files, subfolders, problem } = folder;
  const isOnTheWay = here.startsWith(`${path}/`);
  // Until somebody folds it, a folder is open if what is shown lies in it.
  const [kept, setKept] = useState<boolean>();
  const opened = kept ?? isOnTheWay;
  const Chevron = opened ? IconChevronDown : IconChevronRight;
  const isHere = here === path;
  const drop = useDrop(path, put);
  return (
    <li>
      <div className={styles.node} data-here={isHere || undefined} {...drop}>
        {subfolders > 0 ? (
          <ActionIcon
            size="sm"
            variant="subtle"
            color="gray"
            aria-label={`Folders in ${name}`}
            aria-expanded={opened}
            onClick={() => setKept(!opened)}
          >
            <Chevron size={15} />
          </ActionIcon>
        ) : (
          <span className={styles.leaf} />
        )}
        <button
          type="button"
          className={styles.folder}
          aria-current={isHere || undefined}
          title={problem ?? undefined}
          onClick={() => onChoose(path)}
        >
          <Text size="sm" truncate span c={problem ? "dimmed" : undefined}>
            <Visible>{name}</Visible>
          </Text>
          {problem ? (
            <Text size="xs" c="dimmed" span>
              not there
            </Text>
          ) : (
            files > 0 && (
              <Text size="xs" c="dimmed" span aria-label={`${files} files`}>
                {files.toLocaleString("en")}
              </Text>
            )
          )}
        </button>
      </div>
      {opened && subfolders > 0 && <Within {...props} path={path} />}
    </li>
  );
}

function Note({ children }: { children: string }) {
  return (
    <Text size="xs" c="dimmed" px={28} py={2}>
      {children}
    </Text>
  );
}
