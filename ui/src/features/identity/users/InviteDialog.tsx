import { NativeSelect, TextInput } from "@mantine/core";

import { api, type Schemas } from "@/api/client";
import { anEmail, needed, useProblemForm } from "@/api/forms";
import { FormDialog } from "@/components/FormDialog";
import { useRefresh } from "@/live/useRefresh";

import { ROLES } from "./roles";
import type { HandedOut } from "./UsersPage";

interface Props {
  opened: boolean;
  onClose: () => void;
  onInvited: (link: HandedOut) => void;
}

/** Makes a user and the link with which they come in. */
export function InviteDialog({ opened, onClose, onInvited }: Props) {
  const refresh = useRefresh();
  const { form, problem, fail } = useProblemForm(
    {
      initialValues: { name: "", email: "", role: "user" as Schemas["UserOut"]["role"] },
      validate: { name: needed("A name"), email: anEmail },
    },
    opened,
  );
  const invite = api.useMutation("post", "/api/v1/users", {
    meta: { inForm: true },
    onSuccess: async ({ user, link }) => {
      onClose();
      onInvited({ title: `${user.name} is invited`, link, name: user.name });
      await refresh("user");
    },
    onError: (error) => fail(error),
  });
  return (
    <FormDialog
      title="Invite someone"
      verb="Make the invitation"
      opened={opened}
      onClose={onClose}
      pending={invite.isPending}
      problem={problem}
      onSubmit={form.onSubmit((body) => invite.mutate({ body }))}
    >
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
