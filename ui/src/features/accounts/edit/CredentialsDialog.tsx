import { Text } from "@mantine/core";
import { type SubmitEvent, useState } from "react";

import { api } from "@/api/client";
import { useOnOpening } from "@/api/forms";
import { FormDialog } from "@/components/FormDialog";
import { notify } from "@/components/notify";
import { useRefresh } from "@/live/useRefresh";

import { filled } from "../form/fields";
import { SchemaForm } from "../form/SchemaForm";
import { useSchemaForm } from "../form/useSchemaForm";
import { type Account, type Connector } from "../words";

interface Props {
  opened: boolean;
  onClose: () => void;
  account: Account;
  connector: Connector;
}

/** Gives an account its settings and its password again. */
export function CredentialsDialog({ opened, onClose, account, connector }: Props) {
  const { id, label, settings } = account;
  const refresh = useRefresh();
  const form = useSchemaForm(connector.settingsForm, settings);
  const [problem, setProblem] = useState<string | null>(null);
  useOnOpening(opened, () => {
    form.restart(settings);
    setProblem(null);
  });
  const renew = api.useMutation("put", "/api/v1/accounts/{account_id}/credentials", {
    meta: { inForm: true },
    onError: (error: unknown) => setProblem(form.fail(error, "settings")),
    onSuccess: async () => {
      onClose();
      await refresh("account");
      notify.done(`${label} works.`);
    },
  });
  const save = (event: SubmitEvent) => {
    event.preventDefault();
    setProblem(null);
    if (!form.check()) return;
    const body = { settings: filled(form.values) };
    renew.mutate({ params: { path: { account_id: id } }, body });
  };
  return (
    <FormDialog
      title={`Servers and password of ${label}`}
      verb="Try and save"
      size="lg"
      opened={opened}
      onClose={onClose}
      pending={renew.isPending}
      problem={problem}
      onSubmit={save}
    >
      <Text size="sm" c="dimmed">
        It is tried first: if signing in does not work, all stays as it is. The password has to be
        given each time, so that nobody can send it to another server.
      </Text>
      <SchemaForm form={form} />
    </FormDialog>
  );
}
