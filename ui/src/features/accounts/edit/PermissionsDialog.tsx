import { Text } from "@mantine/core";
import { type SubmitEvent, useState } from "react";

import { api } from "@/api/client";
import { useOnOpening } from "@/api/forms";
import { detailOf } from "@/api/problem";
import { FormDialog } from "@/components/FormDialog";
import { useRefresh } from "@/live/useRefresh";

import { leaveFor } from "../leaveFor";
import { Permissions } from "../Permissions";
import { type Account, ACCOUNT, type Connector } from "../words";

interface Props {
  opened: boolean;
  onClose: () => void;
  account: Account;
  connector: Connector;
}

/** Switches on or off what an account may be used for; more of it is asked of the provider. */
export function PermissionsDialog({ opened, onClose, account, connector }: Props) {
  const { id, label, permissions, workspaceId } = account;
  const refresh = useRefresh();
  const [chosen, setChosen] = useState(permissions);
  const [problem, setProblem] = useState<string | null>(null);
  useOnOpening(opened, () => {
    setChosen(permissions);
    setProblem(null);
  });
  const inForm = {
    meta: { inForm: true },
    onError: (error: unknown) => setProblem(detailOf(error)),
  };
  const change = api.useMutation("patch", ACCOUNT, {
    ...inForm,
    onSuccess: async () => {
      onClose();
      await refresh("account");
    },
  });
  const consent = api.useMutation("post", "/api/v1/connectors/{connector_id}/oauth/start", {
    ...inForm,
    onSuccess: ({ authorizeUrl }) => leaveFor(authorizeUrl),
  });
  const asksMore = connector.usesOauth && chosen.some((name) => !permissions.includes(name));
  const save = (event: SubmitEvent) => {
    event.preventDefault();
    if (asksMore) {
      consent.mutate({
        params: { path: { connector_id: connector.name } },
        body: { workspaceId, accountId: id, permissions: chosen },
      });
    } else {
      change.mutate({ params: { path: { account_id: id } }, body: { permissions: chosen } });
    }
  };
  return (
    <FormDialog
      title={`What ${label} may be used for`}
      verb={asksMore ? `Continue to ${connector.title}` : "Save"}
      opened={opened}
      onClose={onClose}
      pending={change.isPending || consent.isPending}
      problem={problem}
      onSubmit={save}
    >
      <Permissions connector={connector} chosen={chosen} onChange={setChosen} />
      {asksMore && (
        <Text size="sm" c="dimmed">
          The provider asks you whether you allow it, then you come back here.
        </Text>
      )}
    </FormDialog>
  );
}
