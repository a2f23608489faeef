import { Text, TextInput } from "@mantine/core";

import { http, type Schemas } from "@/api/client";
import { needed } from "@/api/forms";
import { FormDialog } from "@/components/FormDialog";
import { useFormDialog } from "@/components/useFormDialog";
import { useMe } from "@/features/identity/useMe";

const NOTEBOOKS = "/api/v1/workspaces/{workspace_id}/notebooks";

interface Props {
  opened: boolean;
  onClose: () => void;
  workspaceId: string;
  /** The folder to rename; without one, another is opened. */
  folder?: Schemas["NotebookOut"];
}

/** Opens a folder to a workspace, or gives it another name. */
export function FolderDialog({ opened, onClose, workspaceId, folder }: Props) {
  const { isAdmin } = useMe();
  const { form, dialog } = useFormDialog({
    opened,
    onClose,
    initialValues: { name: folder?.name ?? "", path: "" },
    validate: { name: needed("A name") },
    affects: ["notebook"],
    send: ({ name, path }) => {
      const within = { workspace_id: workspaceId };
      return folder
        ? http.PATCH(`${NOTEBOOKS}/{notebook_id}`, {
            params: { path: { ...within, notebook_id: folder.id } },
            body: { name },
          })
        : http.POST(NOTEBOOKS, {
            params: { path: within },
            body: { name, path: path.trim() || null },
          });
    },
  });
  return (
    <FormDialog
      title={folder ? `Rename “${folder.name}”` : "Open a folder"}
      verb={folder ? "Rename" : "Open the folder"}
      {...dialog}
    >
      <TextInput
        label="Name"
        description="Agents see it under this name, and not where it is"
        placeholder="Papers"
        data-autofocus
        {...form.getInputProps("name")}
      />
      {!folder && isAdmin && (
        <TextInput
          label="Path on the server"
          description="An existing folder, from the root on. Left empty, a new and empty folder is made."
          placeholder="/home/olive/Documents"
          autoComplete="off"
          spellCheck={false}
          {...form.getInputProps("path")}
        />
      )}
      {!folder && !isAdmin && (
        <Text size="sm" c="dimmed">
          A new and empty folder is made. Only an admin of the office can open one that is there.
        </Text>
      )}
    </FormDialog>
  );
}
