import { Button, Group, Modal, Stack, Text } from "@mantine/core";

import { CopyLine } from "@/components/CopyLine";

import { Configuration } from "./Configuration";

interface Props {
  client: { id: string; name: string; token: string } | null;
  onClose: () => void;
}

/** A client's token, told once, and ready to be pasted where it belongs. */
export function NewToken({ client, onClose }: Props) {
  return (
    <Modal
      opened={client !== null}
      onClose={onClose}
      title={client ? `Connect “${client.name}”` : ""}
      closeOnClickOutside={false}
      // Gone at once: while it faded, its words would already be empty.
      transitionProps={{ duration: 0 }}
      size="lg"
    >
      {client && (
        <Stack gap="md">
          <Text size="sm">
            Copy the token now and keep it like a password: it is shown this once only. Below it
            stands where programs want it.
          </Text>
          <CopyLine label="Token" value={client.token} />
          <Configuration clientId={client.id} token={client.token} />
          <Group justify="flex-end">
            <Button onClick={onClose}>I have it</Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}
