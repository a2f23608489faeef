import { NativeSelect, TextInput } from "@mantine/core";

import { http, type Schemas } from "@/api/client";
import { anEmail, needed } from "@/api/forms";
import { FormDialog } from "@/components/FormDialog";
import { useFormDialog } from "@/components/useFormDialog";

import { ROLES } from "./roles";
import type { HandedOut } from "./UsersPage";

interface Props {
  opened: boolean;
  onClose: () => void;
  onInvited: (link: HandedOut) => void;
}

interface Values extends Record<string, unknown> {
  name: string;
  email: string;
  role: Schemas["UserOut"]["role"];
}

/** Makes a user and the link with which they come in. */
export function InviteDialog({ opened, onClose, onInvited }: Props) {
  const { form, dialog } = useFormDialog<Values, Schemas["InvitationOut"]>({
    opened,
    onClose,
    initialValues: { name: "", email: "", role: "user" },
    validate: { name: needed("A name"), email: anEmail },
    affects: ["user"],
    send: (body) => http.POST("/api/v1/users", { body }),
    onSaved: ({ user, link }) =>
      onInvited({ title: `${user.name} is invited`, link, name: user.name }),
  });
  return (
    <FormDialog title="Invite someone" verb="Make the invitation" {...dialog}>
      <TextInput label="Name" data-autofocus {...form.getInputProps("name")} />
      <TextInput
        label="E-mail address"
        description="They log in with it. No mail is sent: you give them the link."
        type="email"
        {...form.getInputProps("email")}
      />
      <NativeSelect
        label="Role"
        description="Admins manage users, settings, backups and keys."
        data={ROLES}
        {...form.getInputProps("role")}
      />
    </FormDialog>
  );
}
