import { Button, Checkbox, Group, List, Modal, Stack, Text } from "@mantine/core";
import { useState } from "react";

import { api } from "@/api/client";
import { detailOf } from "@/api/problem";
import { notify } from "@/components/notify";
import { ProblemAlert } from "@/components/ProblemAlert";
import { useRefresh } from "@/live/useRefresh";

import { type Account, ACCOUNT, type Connector } from "../words";

interface Props {
  opened: boolean;
  onClose: () => void;
  account: Account;
  connector: Connector | undefined;
}

/** Says what goes with an account and what stays, and disconnects it. */
export function DisconnectDialog({ opened, onClose, account, connector }: Props) {
  const { id, label, isPrimary } = account;
  const [files, setFiles] = useState(false);
  const refresh = useRefresh();
  const leave = api.useMutation("delete", ACCOUNT, {
    meta: { inForm: true },
    onSuccess: async ({ revoked }) => {
      onClose();
      await refresh("account", "outbox");
      if (revoked === false) {
        notify.failed(
          `${label} is disconnected, but the provider could not be told. Take the permission back in your account there.`,
        );
      } else notify.done(`${label} is disconnected.`);
    },
  });
  const disconnect = () => {
    const query = { removeFiles: files };
    leave.mutate({ params: { path: { account_id: id }, query } });
  };
  return (
    <Modal opened={opened} onClose={onClose} title={`Disconnect ${label}?`}>
      <Stack gap="md">
        <ProblemAlert>{leave.error ? detailOf(leave.error) : null}</ProblemAlert>
        <div>
          <Text size="sm">This is deleted here, and cannot be brought back:</Text>
          <List size="sm" mt={4}>
            <List.Item>the mail that was fetched from it, with its attachments</List.Item>
            <List.Item>what waits in the outbox to be sent from it</List.Item>
            <List.Item>
              its{" "}
              {connector?.usesOauth
                ? "permission, which the provider is asked to forget"
                : "password and settings"}
            </List.Item>
          </List>
        </div>
        <Text size="sm">
          {connector?.keepsFolder
            ? "Its folder on this machine stays as it is, unless you say otherwise."
            : "At the provider, all mail stays as it is. Connected again, it is fetched again."}{" "}
          {isPrimary && "Your oldest other account in the workspace becomes the primary one."}
        </Text>
        {connector?.keepsFolder && (
          <Checkbox
            label="Delete its folder on this machine too"
            checked={files}
            onChange={(event) => setFiles(event.currentTarget.checked)}
          />
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button onClick={disconnect} loading={leave.isPending}>
            Disconnect the account
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
