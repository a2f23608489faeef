import { NativeSelect, TextInput } from "@mantine/core";

import { api, http } from "@/api/client";
import { needed } from "@/api/forms";
import { FormDialog } from "@/components/FormDialog";
import { useFormDialog } from "@/components/useFormDialog";

import { useFileVerbs } from "../file/useFileVerbs";
import { FILES, nameOf, notebookOf } from "./browsed";

interface Props {
  workspace: string;
  folder: string;
  opened: boolean;
  onClose: () => void;
  onMade: (path: string) => void;
}

/** Makes a text file, empty or as a template has it. */
export function NewFile({ workspace, folder, opened, onClose, onMade }: Props) {
  const { tell } = useFileVerbs(workspace);
  const templates = useTemplates(workspace, notebookOf(folder), opened);
  const { form, dialog } = useFormDialog({
    opened,
    onClose,
    initialValues: { name: "", folder, template: "" },
    validate: { name: needed("A name"), folder: needed("A folder") },
    affects: ["files", "action"],
    send: ({ name, folder: into, template }) =>
      http.POST(FILES, {
        params: { path: { workspace_id: workspace } },
        body: {
          path: `${into.replace(/\/+$/, "")}/${withEnding(name.trim())}`,
          content: "",
          template: template || null,
        },
      }),
    onSaved: (done) => {
      tell(done, `${nameOf(done.path ?? "The file")} is made.`);
      if (done.path) onMade(done.path);
    },
  });
  return (
    <FormDialog title="New file" verb="Make the file" {...dialog}>
      <TextInput
        label="Name"
        description="Without an ending it becomes Markdown"
        placeholder="Meeting with Anna"
        autoComplete="off"
        data-autofocus
        {...form.getInputProps("name")}
      />
      <TextInput
        label="Folder"
        description="One that is not there yet is made"
        autoComplete="off"
        spellCheck={false}
        {...form.getInputProps("folder")}
      />
      <NativeSelect
        label="Begin with"
        description={
          templates.length === 0
            ? `Files in ${notebookOf(folder)}/templates can be chosen here. There are none yet.`
            : undefined
        }
        data={[
          { value: "", label: "An empty file" },
          ...templates.map(({ path, name }) => ({ value: path, label: name })),
        ]}
        {...form.getInputProps("template")}
      />
    </FormDialog>
  );
}

const withEnding = (name: string) => (/[^.]\.\w+$/.test(name) ? name : `${name}.md`);

/** The files of a notebook that new ones can begin with; none if there is no such folder. */
function useTemplates(workspace: string, notebook: string, enabled: boolean) {
  const listing = api.useQuery(
    "get",
    FILES,
    { params: { path: { workspace_id: workspace }, query: { path: `${notebook}/templates` } } },
    { enabled: enabled && notebook !== "", retry: false },
  );
  return listing.data?.files.filter(({ kind }) => kind === "file") ?? [];
}
