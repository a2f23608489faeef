import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { type ReactNode, useState } from "react";

import { detailOf } from "@/api/problem";

import { ProblemAlert } from "./ProblemAlert";

interface Question {
  title: string;
  body: ReactNode;
  /** What the button says: the deed, not "OK". */
  verb: string;
  run: () => Promise<unknown>;
}

/** Asks once before something that cannot be undone. Render `dialog` somewhere. */
export function useConfirm() {
  const [question, setQuestion] = useState<Question | null>(null);
  const [opened, setOpened] = useState(false);
  const [running, setRunning] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  const ask = (next: Question) => {
    setQuestion(next);
    setProblem(null);
    setOpened(true);
  };
  const run = async () => {
    setRunning(true);
    try {
      await question?.run();
      setOpened(false);
    } catch (error) {
      setProblem(detailOf(error));
    } finally {
      setRunning(false);
    }
  };

  const dialog = (
    <Modal opened={opened} onClose={() => setOpened(false)} title={question?.title}>
      <Stack gap="md">
        <ProblemAlert>{problem}</ProblemAlert>
        <Text size="sm">{question?.body}</Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={() => setOpened(false)} data-autofocus>
            Cancel
          </Button>
          <Button onClick={() => void run()} loading={running}>
            {question?.verb}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
  return { ask, dialog };
}
