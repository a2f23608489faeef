import { TextInput } from "@mantine/core";

import { api } from "@/api/client";
import { anEmail, useProblemForm } from "@/api/forms";
import { FormDialog } from "@/components/FormDialog";
import { useRefresh } from "@/live/useRefresh";

import { type Contact, CONTACTS } from "./useContacts";

interface Props {
  opened: boolean;
  onClose: () => void;
  workspaceId: string;
  /** The one to rename; without one, another is added. */
  contact?: Contact;
}

/** Puts someone into the address book, or gives them another name. */
export function ContactDialog({ opened, onClose, workspaceId, contact }: Props) {
  const refresh = useRefresh();
  const { form, problem, fail } = useProblemForm(
    {
      initialValues: { name: contact?.name ?? "", address: contact?.address ?? "" },
      validate: { address: anEmail },
    },
    opened,
  );
  const options = {
    meta: { inForm: true },
    onError: (error: unknown) => fail(error),
    onSuccess: async () => {
      onClose();
      await refresh("contact");
    },
  };
  const add = api.useMutation("post", CONTACTS, options);
  const rename = api.useMutation("patch", `${CONTACTS}/{contact_id}`, options);
  const save = ({ name, address }: { name: string; address: string }) => {
    const path = { workspace_id: workspaceId };
    if (contact) {
      rename.mutate({ params: { path: { ...path, contact_id: contact.id } }, body: { name } });
    } else add.mutate({ params: { path }, body: { name, address } });
  };
  return (
    <FormDialog
      title={contact ? `Rename ${contact.address}` : "Add someone"}
      verb={contact ? "Rename" : "Add to the address book"}
      opened={opened}
      onClose={onClose}
      pending={add.isPending || rename.isPending}
      problem={problem}
      onSubmit={form.onSubmit(save)}
    >
      <TextInput
        label="Name"
        maxLength={200}
        autoComplete="off"
        data-autofocus
        {...form.getInputProps("name")}
      />
      {!contact && (
        <TextInput
          label="Address"
          type="email"
          placeholder="anna@example.org"
          maxLength={320}
          autoComplete="off"
          {...form.getInputProps("address")}
        />
      )}
    </FormDialog>
  );
}
