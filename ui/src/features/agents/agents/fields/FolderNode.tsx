import { ActionIcon, Checkbox, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";

import { api } from "@/api/client";
import { Loaded } from "@/components/states";

import styles from "../Agents.module.css";
import { canBeNamed, standing, withoutPlace, withPlace } from "./folders";
import type { Form } from "./form";

const MOST = 500;

interface Props {
  form: Form;
  /** The open folder's name, and those of the folders within it. */
  path: string[];
  /** All in it belongs to it, so there is nothing to choose within. */
  isWhole: boolean;
}

/** A folder with its tick; what is in it is read when one looks. */
export function FolderNode({ form, path, isWhole }: Props) {
  const { values, set } = form;
  const [opened, { toggle }] = useDisclosure();
  const { isIn, isPartly, isGiven } = standing(values, path);
  const name = path.at(-1) ?? "";
  const Chevron = opened ? IconChevronDown : IconChevronRight;
  const change = (to: boolean) => set((to ? withPlace : withoutPlace)(values, path));
  return (
    <li>
      <div className={styles.node}>
        {!isWhole && (
          <span className={styles.twist}>
            <ActionIcon
              size="sm"
              variant="subtle"
              color="gray"
              aria-label={`Folders in ${name}`}
              aria-expanded={opened}
              onClick={toggle}
            >
              <Chevron size={16} />
            </ActionIcon>
          </span>
        )}
        <Checkbox
          label={name}
          checked={isIn}
          indeterminate={isPartly && (!isIn || path.length === 1)}
          disabled={isGiven || !canBeNamed(path)}
          onChange={(event) => change(event.currentTarget.checked)}
        />
      </div>
      {opened && !isWhole && <Within form={form} path={path} />}
    </li>
  );
}

interface Listing {
  files: { path: string; kind: string }[];
  more: boolean;
}

function Within({ form, path }: Omit<Props, "isWhole">) {
  const folder = path.join("/");
  // Through the gate, as everybody: what the person may not see is not shown here.
  const listing = api.useQuery("post", "/api/v1/workspaces/{workspace_id}/tools/{tool}", {
    params: { path: { workspace_id: form.values.workspaceId, tool: "list_files" } },
    body: { arguments: { path: folder, limit: MOST } },
  });
  return (
    <Loaded query={listing} loading={<Note>Looking…</Note>}>
      {({ result }) => {
        const { files, more } = result as Listing;
        const names = files
          .filter(({ kind }) => kind === "folder")
          .map((one) => one.path.slice(folder.length + 1));
        return (
          <>
            <ul role="list" aria-label={`Folders in ${path.at(-1)}`}>
              {names.map((name) => (
                <FolderNode key={name} form={form} path={[...path, name]} isWhole={false} />
              ))}
            </ul>
            {names.length === 0 && <Note>No folders in it</Note>}
            {more && (
              <Note>There is more in it than is shown; name the rest as patterns below</Note>
            )}
          </>
        );
      }}
    </Loaded>
  );
}

function Note({ children }: { children: string }) {
  return (
    <Text size="sm" c="dimmed" pl={30} py={4}>
      {children}
    </Text>
  );
}
