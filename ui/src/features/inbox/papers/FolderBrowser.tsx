import { Button, ScrollArea, Text, UnstyledButton } from "@mantine/core";
import { IconArrowUp, IconFolder } from "@tabler/icons-react";

import { api } from "@/api/client";
import { Loaded } from "@/components/states";
import { Visible } from "@/features/gate/shared/Untrusted";

import styles from "./Papers.module.css";

const MOST = 500;

interface Listing {
  files: { path: string; kind: string }[];
  more: boolean;
}

interface Props {
  workspaceId: string;
  /** Which folder one looks into; empty: all notebooks. */
  folder: string;
  onGo: (folder: string) => void;
}

/** The folders within a folder, to go on into one of them. */
export function FolderBrowser({ workspaceId, folder, onGo }: Props) {
  // Through the gate, as everybody: what the person may not see is not shown here.
  const listing = api.useQuery("post", "/api/v1/workspaces/{workspace_id}/tools/{tool}", {
    params: { path: { workspace_id: workspaceId, tool: "list_files" } },
    body: { arguments: { path: folder, limit: MOST } },
  });
  return (
    <div className={styles.browser}>
      {folder && (
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          leftSection={<IconArrowUp size={15} />}
          onClick={() => onGo(parentOf(folder))}
        >
          {parentOf(folder) ? `Up to ${nameOf(parentOf(folder))}` : "Up to all notebooks"}
        </Button>
      )}
      <ScrollArea.Autosize mah={220}>
        <Loaded query={listing} loading={<Note>Looking…</Note>}>
          {({ result }) => {
            const { files, more } = result as Listing;
            const folders = files.filter(({ path, kind }) => kind !== "file" && !isInbox(path));
            return (
              <>
                <ul role="list" aria-label={folder ? `Folders in ${nameOf(folder)}` : "Notebooks"}>
                  {folders.map(({ path }) => (
                    <li key={path}>
                      <UnstyledButton className={styles.folder} onClick={() => onGo(path)}>
                        <IconFolder size={16} stroke={1.6} aria-hidden />
                        <span>
                          <Visible>{nameOf(path)}</Visible>
                        </span>
                      </UnstyledButton>
                    </li>
                  ))}
                </ul>
                {folders.length === 0 && <Note>No folders in it</Note>}
                {more && <Note>There is more in it than is shown; type the rest</Note>}
              </>
            );
          }}
        </Loaded>
      </ScrollArea.Autosize>
    </div>
  );
}

export const parentOf = (path: string) => path.split("/").slice(0, -1).join("/");
const nameOf = (path: string) => path.split("/").at(-1) ?? path;
const isInbox = (path: string) => path.split("/")[1]?.toLowerCase() === "inbox";

function Note({ children }: { children: string }) {
  return (
    <Text size="sm" c="dimmed" px={8} py={4}>
      {children}
    </Text>
  );
}
