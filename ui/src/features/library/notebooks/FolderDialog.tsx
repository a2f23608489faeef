import { Text, TextInput } from "@mantine/core";

import { api, type Schemas } from "@/api/client";
import { needed, useProblemForm } from "@/api/forms";
import { FormDialog } from "@/components/FormDialog";
import { useMe } from "@/features/identity/useMe";
import { useRefresh } from "@/live/useRefresh";

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
  const refresh = useRefresh();
  const { form, problem, fail } = useProblemForm(
    { initialValues: { name: folder?.name ?? "", path: "" }, validate: { name: needed("A name") } },
    opened,
  );
  const options = {
    meta: { inForm: true },
    onError: (error: unknown) => fail(error),
    onSuccess: async () => {
      onClose();
      await refresh("notebook");
    },
  };
  const add = api.useMutation("post", NOTEBOOKS, options);
  const rename = api.useMutation("patch", `${NOTEBOOKS}/{notebook_id}`, options);
  const save = ({ name, path }: { name: string; path: string }) => {
    const within = { workspace_id: workspaceId };
    if (folder) {
      rename.mutate({ params: { path: { ...within, notebook_id: folder.id } }, body: { name } });
    } else {
      add.mutate({ params: { path: within }, body: { name, path: path.trim() || null } });
    }
  };
  return (
    <FormDialog
      title={folder ? `Rename “${folder.name}”` : "Open a folder"}
      verb={folder ? "Rename" : "Open the folder"}
      opened={opened}
      onClose={onClose}
      pending={add.isPending || rename.isPending}
      problem={problem}
      onSubmit={form.onSubmit(save)}
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
