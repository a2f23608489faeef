import { ScrollArea, TextInput } from "@mantine/core";

import { http } from "@/api/client";
import { needed } from "@/api/forms";
import { FormDialog } from "@/components/FormDialog";
import { useFormDialog } from "@/components/useFormDialog";

import { FILES, folderOf, nameOf } from "../browser/browsed";
import { FolderTree } from "../browser/FolderTree";
import { useFileVerbs } from "./useFileVerbs";

interface Props {
  workspace: string;
  path: string;
  etag?: string;
  opened: boolean;
  onClose: () => void;
  onMoved: (to: string) => void;
}

/** Another name or folder for a file. */
export function MoveFile({ workspace, path, etag, opened, onClose, onMoved }: Props) {
  const { tell } = useFileVerbs(workspace);
  const { form, dialog } = useFormDialog({
    opened,
    onClose,
    initialValues: { name: nameOf(path), folder: folderOf(path) },
    validate: { name: needed("A name"), folder: needed("A folder") },
    affects: ["files", "action"],
    send: ({ name, folder }) =>
      http.POST(`${FILES}/move`, {
        params: {
          path: { workspace_id: workspace },
          header: etag ? { "If-Match": etag } : {},
        },
        body: { path, to: `${folder.replace(/\/+$/, "")}/${name.trim()}` },
      }),
    onSaved: (done) => {
      tell(done, `${nameOf(path)} is now ${done.path}.`);
      if (done.path) onMoved(done.path);
    },
  });
  return (
    <FormDialog title="Move or rename" verb="Move" steady {...dialog}>
      <TextInput
        label="Name"
        autoComplete="off"
        spellCheck={false}
        maxLength={255}
        data-autofocus
        {...form.getInputProps("name")}
      />
      <TextInput
        label="Folder"
        description="The notebook first; a folder that is not there yet is made"
        autoComplete="off"
        spellCheck={false}
        {...form.getInputProps("folder")}
      />
      <ScrollArea.Autosize mah={240}>
        <FolderTree
          workspace={workspace}
          here={form.values.folder}
          onChoose={(folder) => form.setFieldValue("folder", folder)}
        />
      </ScrollArea.Autosize>
    </FormDialog>
  );
}
