import { TextInput } from "@mantine/core";

import { http } from "@/api/client";
import { anEmail } from "@/api/forms";
import { FormDialog } from "@/components/FormDialog";
import { useFormDialog } from "@/components/useFormDialog";

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
  const { form, dialog } = useFormDialog<Pick<Contact, "name" | "address">, Contact>({
    opened,
    onClose,
    initialValues: { name: contact?.name ?? "", address: contact?.address ?? "" },
    validate: { address: anEmail },
    affects: ["contact"],
    send: ({ name, address }) => {
      const path = { workspace_id: workspaceId };
      return contact
        ? http.PATCH(`${CONTACTS}/{contact_id}`, {
            params: { path: { ...path, contact_id: contact.id } },
            body: { name },
          })
        : http.POST(CONTACTS, { params: { path }, body: { name, address } });
    },
  });
  return (
    <FormDialog
      title={contact ? `Rename ${contact.address}` : "Add someone"}
      verb={contact ? "Rename" : "Add to the address book"}
      {...dialog}
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
