import { Button, Group, Kbd } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";

import type { Schemas } from "@/api/client";

import { DenyDialog } from "./DenyDialog";
import { EditDialog } from "./EditDialog";
import { useAnswer } from "./useAnswer";

interface Props {
  approval: Schemas["ApprovalOut"];
  /** The buttons go; the focus must not go with them. */
  onAnswered: () => void;
}

/** Yes, no, yes but otherwise, no because. The keys `a` and `d` press the first two. */
export function Answers({ approval, onAnswered }: Props) {
  const { title } = approval;
  const [editing, editor] = useDisclosure();
  const [noting, note] = useDisclosure();
  const answer = useAnswer(approval, { onDone: onAnswered });
  const busy = answer.allowing || answer.denying;
  return (
    <Group gap="xs">
      <Button
        data-answer="a"
        loading={answer.allowing}
        disabled={answer.denying}
        onClick={() => answer.allow()}
        rightSection={<Hint>a</Hint>}
        aria-label={`Allow: ${title}`}
      >
        Allow
      </Button>
      <Button
        data-answer="d"
        variant="default"
        loading={answer.denying}
        disabled={answer.allowing}
        onClick={() => answer.deny()}
        rightSection={<Hint>d</Hint>}
        aria-label={`Deny: ${title}`}
      >
        Deny
      </Button>
      <Button variant="subtle" px="xs" disabled={busy} onClick={editor.open}>
        Edit and allow…
      </Button>
      <Button variant="subtle" px="xs" disabled={busy} onClick={note.open}>
        Deny with a note…
      </Button>
      <EditDialog approval={approval} opened={editing} onClose={editor.close} onDone={onAnswered} />
      <DenyDialog approval={approval} opened={noting} onClose={note.close} onDone={onAnswered} />
    </Group>
  );
}

function Hint({ children }: { children: string }) {
  return (
    <Kbd size="xs" visibleFrom="sm" aria-hidden>
      {children}
    </Kbd>
  );
}
