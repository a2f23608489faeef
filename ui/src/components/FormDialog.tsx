import { Button, Group, Modal, Stack } from "@mantine/core";
import type { ReactNode, SubmitEvent } from "react";

import { ProblemAlert } from "./ProblemAlert";

interface Props {
  title: string;
  verb: string;
  opened: boolean;
  pending: boolean;
  problem: string | null;
  onSubmit: (event: SubmitEvent<HTMLFormElement>) => void;
  onClose: () => void;
  size?: string;
  /** Its height changes while one types: it grows downwards, and what one types in stays where it is. */
  steady?: boolean;
  children: ReactNode;
}

/** A small form in a dialog. */
export function FormDialog(props: Props) {
  const { title, verb, opened, pending, problem, onSubmit, onClose, size, steady, children } =
    props;
  return (
    <Modal opened={opened} onClose={onClose} title={title} size={size} centered={!steady}>
      <form onSubmit={onSubmit} noValidate>
        <Stack gap="md">
          <ProblemAlert>{problem}</ProblemAlert>
          {children}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={pending}>
              {verb}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
