import { TextInput } from "@mantine/core";

import { api, type Schemas } from "@/api/client";
import { needed, useProblemForm } from "@/api/forms";
import { FormDialog } from "@/components/FormDialog";
import { useRefresh } from "@/live/useRefresh";

interface Props {
  opened: boolean;
  onClose: () => void;
  /** The workspace to rename; without one, a new one is made. */
  workspace?: Schemas["WorkspaceOut"];
}

/** Names a workspace, new or old. */
export function WorkspaceDialog({ opened, onClose, workspace }: Props) {
  const refresh = useRefresh();
  const { form, problem, fail } = useProblemForm(
    { initialValues: { name: workspace?.name ?? "" }, validate: { name: needed("A name") } },
    opened,
  );
  const options = {
    meta: { inForm: true },
    onSuccess: async () => {
      onClose();
      await refresh("workspace");
    },
    onError: (error: unknown) => fail(error),
  };
  const create = api.useMutation("post", "/api/v1/workspaces", options);
  const rename = api.useMutation("patch", "/api/v1/workspaces/{workspace_id}", options);
  const save = (body: { name: string }) => {
    if (workspace) rename.mutate({ params: { path: { workspace_id: workspace.id } }, body });
    else create.mutate({ body });
  };
  return (
    <FormDialog
      title={workspace ? "Rename the workspace" : "New workspace"}
      verb={workspace ? "Rename" : "Make the workspace"}
      opened={opened}
      onClose={onClose}
      pending={create.isPending || rename.isPending}
      problem={problem}
      onSubmit={form.onSubmit(save)}
    >
      <TextInput
        label="Name"
        placeholder="Family, Accounts, Project Heron"
        data-autofocus
        {...form.getInputProps("name")}
      />
    </FormDialog>
  );
}
