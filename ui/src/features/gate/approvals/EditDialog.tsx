import type { Schemas } from "@/api/client";
import { FormDialog } from "@/components/FormDialog";
import { LoadingForm } from "@/components/states";

import { useTools } from "../shared/useTools";
import { SchemaInput } from "./SchemaInput";
import { useAnswer } from "./useAnswer";
import { useEdit } from "./useEdit";

interface Props {
  approval: Schemas["ApprovalOut"];
  opened: boolean;
  onClose: () => void;
  onDone: () => void;
}

/** Changes the arguments of a call, then allows it. */
export function EditDialog({ approval, opened, onClose, onDone }: Props) {
  const { tools, pending } = useTools(opened ? approval.workspaceId : undefined);
  const tool = tools?.find(({ name }) => name === approval.tool);
  const edit = useEdit(approval.arguments, tool);
  const close = () => {
    edit.restart();
    onClose();
  };
  const answer = useAnswer(approval, {
    inForm: true,
    onDone: () => {
      close();
      onDone();
    },
    onError: edit.fail,
  });
  return (
    <FormDialog
      title={`Edit “${approval.title}”`}
      verb="Allow as edited"
      size="lg"
      opened={opened}
      onClose={close}
      pending={answer.allowing}
      problem={edit.problem}
      onSubmit={edit.submit(answer.allow)}
    >
      {pending ? (
        <LoadingForm />
      ) : (
        edit.fields.map((field) => (
          <SchemaInput
            key={field.name}
            field={field}
            value={edit.shown[field.name] ?? ""}
            error={edit.errors[field.name]}
            onChange={(value) => edit.set(field.name, value)}
          />
        ))
      )}
    </FormDialog>
  );
}
