import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPlus } from "@tabler/icons-react";

import { api, type Schemas } from "@/api/client";
import { Listing } from "@/components/Listing";
import { Section } from "@/components/Section";
import { Empty } from "@/components/states";

import { FolderDialog } from "./FolderDialog";
import { FolderRow } from "./FolderRow";

/** The folders of one workspace. */
export function WorkspaceFolders({ workspace }: { workspace: Schemas["WorkspaceOut"] }) {
  const { id, name, role } = workspace;
  const folders = api.useQuery("get", "/api/v1/workspaces/{workspace_id}/notebooks", {
    params: { path: { workspace_id: id } },
  });
  const [opening, { open, close }] = useDisclosure();
  const manages = role === "admin";
  const add = manages && (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconPlus size={14} />}
      aria-label={`Open a folder in ${name}`}
      onClick={open}
    >
      Open a folder
    </Button>
  );
  const empty = (
    <Empty title="No folder is open here yet" action={add}>
      {manages
        ? "Open one, and agents of this workspace can work in it."
        : "An admin of the workspace can open one."}
    </Empty>
  );
  return (
    <Section title={name} actions={folders.data?.items.length ? add : null}>
      <Listing label={`Folders of ${name}`} query={folders} expected={1} empty={empty}>
        {(folder) => (
          <FolderRow
            key={folder.id}
            folder={folder}
            workspaceId={id}
            manages={manages}
            mayWrite={role !== "read"}
          />
        )}
      </Listing>
      <FolderDialog opened={opening} onClose={close} workspaceId={id} />
    </Section>
  );
}
