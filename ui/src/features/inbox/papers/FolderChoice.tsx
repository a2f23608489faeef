import { TextInput } from "@mantine/core";
import { useState } from "react";

import { http } from "@/api/client";
import { needed, useOnOpening } from "@/api/forms";
import { FormDialog } from "@/components/FormDialog";
import { useFormDialog } from "@/components/useFormDialog";

import { FolderBrowser, parentOf } from "./FolderBrowser";
import { isSuggested, type Paper } from "./words";

/** Where a paper went. */
export interface Moved {
  path: string | null;
  /** What is taken back where no suggestion was answered. */
  actionId?: string | null;
  /** Why it waits for a person's yes. */
  waits: boolean;
}

interface Props {
  paper: Paper;
  opened: boolean;
  onClose: () => void;
  onMoved: (paper: Paper, moved: Moved) => void;
}

/** Moves a paper to another folder than the suggested one, or under another name. */
export function FolderChoice({ paper, opened, onClose, onMoved }: Props) {
  const notebook = paper.path.split("/")[0] ?? "";
  const start = paper.suggestion ? parentOf(paper.suggestion.target_folder) : notebook;
  const [at, setAt] = useState(start);
  useOnOpening(opened, () => setAt(start));
  const { form, dialog } = useFormDialog({
    opened,
    onClose,
    initialValues: { target_folder: paper.suggestion?.target_folder ?? "", name: paper.name },
    validate: { target_folder: needed("A folder"), name: needed("A name") },
    affects: ["suggestion", "action"],
    send: (values) => send(paper, values),
    onSaved: (moved) => onMoved(paper, moved),
  });
  const go = (folder: string) => {
    setAt(folder);
    form.setFieldValue("target_folder", folder);
    form.clearFieldError("target_folder");
  };
  return (
    <FormDialog title="Choose a folder" verb="Move" steady {...dialog}>
      <TextInput
        label="Folder"
        description="The notebook first, such as Papers/finance"
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        {...form.getInputProps("target_folder")}
      />
      <FolderBrowser workspaceId={paper.workspaceId} folder={at} onGo={go} />
      <TextInput
        label="Name"
        maxLength={255}
        autoComplete="off"
        spellCheck={false}
        {...form.getInputProps("name")}
      />
    </FormDialog>
  );
}

interface Values {
  target_folder: string;
  name: string;
}

async function send(
  paper: Paper,
  { target_folder, name }: Values,
): Promise<{ data?: Moved; error?: unknown }> {
  const folder = target_folder.replace(/\/+$/, "");
  if (isSuggested(paper)) {
    const { data, error } = await http.POST("/api/v1/inbox/suggestions/{suggestion_id}/resolve", {
      params: { path: { suggestion_id: paper.suggestion.id } },
      body: { action: "accept", target_folder: folder, name },
    });
    return {
      data: data && { path: data.new_path ?? null, waits: Boolean(data.approval_id) },
      error,
    };
  }
  const to = `${folder}/${name}`;
  const { data, error } = await http.POST("/api/v1/workspaces/{workspace_id}/tools/{tool}", {
    params: { path: { workspace_id: paper.workspaceId, tool: "move_file" } },
    body: { arguments: { path: paper.path, to } },
  });
  const waits = data?.status === "pending";
  return { data: data && { path: waits ? null : to, actionId: data.actionId, waits }, error };
}
