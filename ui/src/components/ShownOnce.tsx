import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";

import { CopyLine } from "./CopyLine";

interface Props {
  title: string;
  label: string;
  value: string | null;
  children: ReactNode;
  onClose: () => void;
}

/** A secret that the server tells once. It does not close by a stray click. */
export function ShownOnce({ title, label, value, children, onClose }: Props) {
  return (
    <Modal
      opened={value !== null}
      onClose={onClose}
      title={title}
      closeOnClickOutside={false}
      // Gone at once: while it faded, its words would already be empty.
      transitionProps={{ duration: 0 }}
      size="lg"
    >
      <Stack gap="md">
        <Text size="sm">{children}</Text>
        <CopyLine label={label} value={value ?? ""} />
        <Group justify="flex-end">
          <Button onClick={onClose}>I have it</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
