import { TextInput } from "@mantine/core";

import { http, type Schemas } from "@/api/client";
import { needed } from "@/api/forms";
import { FormDialog } from "@/components/FormDialog";
import { useFormDialog } from "@/components/useFormDialog";

interface Props {
  opened: boolean;
  onClose: () => void;
  /** The workspace to rename; without one, a new one is made. */
  workspace?: Schemas["WorkspaceOut"];
}

/** Names a workspace, new or old. */
export function WorkspaceDialog({ opened, onClose, workspace }: Props) {
  const { form, dialog } = useFormDialog({
    opened,
    onClose,
    initialValues: { name: workspace?.name ?? "" },
    validate: { name: needed("A name") },
    affects: ["workspace"],
    send: (body) =>
      workspace
        ? http.PATCH("/api/v1/workspaces/{workspace_id}", {
            params: { path: { workspace_id: workspace.id } },
            body,
          })
        : http.POST("/api/v1/workspaces", { body }),
  });
  return (
    <FormDialog
      title={workspace ? "Rename the workspace" : "New workspace"}
      verb={workspace ? "Rename" : "Make the workspace"}
      {...dialog}
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
