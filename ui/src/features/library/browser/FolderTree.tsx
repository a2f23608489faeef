import { ActionIcon, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";

import { api } from "@/api/client";
import { Loaded } from "@/components/states";

import styles from "./Library.module.css";
import { type Browsed, FILES, nameOf } from "./useLibrary";

interface Props {
  workspace: string;
  browsed: Browsed;
  go: (change: Browsed) => void;
}

/** Notebooks and their folders; what is in one is read when one looks. */
export function FolderTree(props: Props) {
  return <Within {...props} path="" />;
}

function Within({ path, ...props }: Props & { path: string }) {
  const listing = api.useQuery("get", FILES, {
    params: { path: { workspace_id: props.workspace }, query: { path } },
  });
  return (
    <Loaded query={listing}>
      {({ files }) => (
        <ul className={styles.tree} role="list" aria-label={path ? nameOf(path) : "Notebooks"}>
          {files
            .filter(({ kind }) => kind !== "file")
            .map((folder) => (
              <Node key={folder.path} {...props} path={folder.path} />
            ))}
        </ul>
      )}
    </Loaded>
  );
}

function Node({ path, ...props }: Props & { path: string }) {
  const { browsed, go } = props;
  const isOnTheWay = `${browsed.folder ?? ""}/`.startsWith(`${path}/`);
  const [opened, { toggle }] = useDisclosure(isOnTheWay);
  const Chevron = opened ? IconChevronDown : IconChevronRight;
  const isHere = browsed.folder === path;
  return (
    <li>
      <div className={styles.node} data-here={isHere || undefined}>
        <ActionIcon
          size="sm"
          variant="subtle"
          color="gray"
          aria-label={`Folders in ${nameOf(path)}`}
          aria-expanded={opened}
          onClick={toggle}
        >
          <Chevron size={15} />
        </ActionIcon>
        <button
          type="button"
          className={styles.folder}
          aria-current={isHere || undefined}
          onClick={() => go({ folder: path, file: undefined, q: undefined })}
        >
          <Text size="sm" truncate span>
            {nameOf(path)}
          </Text>
        </button>
      </div>
      {opened && <Within {...props} path={path} />}
    </li>
  );
}
