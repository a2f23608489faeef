import { TextInput } from "@mantine/core";

import type { Schemas } from "@/api/client";
import { useProblemForm } from "@/api/forms";
import { FormDialog } from "@/components/FormDialog";

import { useAnswer } from "./useAnswer";

interface Props {
  approval: Schemas["ApprovalOut"];
  opened: boolean;
  onClose: () => void;
  onDone: () => void;
}

/** Refuses a call, and tells whoever asked why. */
export function DenyDialog({ approval, opened, onClose, onDone }: Props) {
  const { form, problem, fail } = useProblemForm({ initialValues: { note: "" } }, opened);
  const answer = useAnswer(approval, {
    inForm: true,
    onDone: () => {
      onClose();
      onDone();
    },
    onError: fail,
  });
  return (
    <FormDialog
      title={`Deny “${approval.title}”`}
      verb="Deny"
      opened={opened}
      onClose={onClose}
      pending={answer.denying}
      problem={problem}
      onSubmit={form.onSubmit(({ note }) => answer.deny(note.trim() || null))}
    >
      <TextInput
        label="Note"
        description={`${approval.caller.name} is told this, so that it can do better`}
        placeholder="The meeting is on Friday, not on Thursday"
        maxLength={500}
        data-autofocus
        {...form.getInputProps("note")}
      />
    </FormDialog>
  );
}
