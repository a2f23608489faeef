import { Button, Group, Text, Textarea } from "@mantine/core";
import { type KeyboardEvent, useState } from "react";

import { again, edited } from "../composer/pasted";
import { wordsOf } from "../composer/wordsOf";
import type { Talk } from "./talk";
import type { ThreadMessage } from "./useThread";

const MOST = 50_000;

/** Says a message anew: a new branch, and what was there stays in its own. */
export function EditBox({ message, talk }: { message: ThreadMessage; talk: Talk }) {
  const [written, setWritten] = useState(() => again(message.content, message.metadata.pasted));
  const [sending, setSending] = useState(false);
  const send = async () => {
    if (!written.text.trim() || sending || !talk.verbs) return;
    setSending(true);
    const ready = !talk.isAtWork || (await talk.verbs.stop());
    if (ready && (await talk.verbs.post({ ...wordsOf(written), replaces: message.id }))) {
      talk.edit(null);
    }
    setSending(false);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      void send();
    }
    if (event.key === "Escape") {
      event.stopPropagation();
      talk.edit(null);
    }
  };
  return (
    <div>
      <Textarea
        aria-label="Your message, otherwise"
        autosize
        autoFocus
        minRows={2}
        maxRows={14}
        maxLength={MOST}
        value={written.text}
        onChange={({ currentTarget, nativeEvent }) =>
          setWritten(edited(written, currentTarget.value, nativeEvent))
        }
        onKeyDown={onKey}
      />
      <Group justify="space-between" gap="xs" mt={6}>
        <Text size="xs" c="dimmed">
          What was said before stays, in a branch of its own.
        </Text>
        <Group gap="xs">
          <Button size="compact-sm" variant="default" onClick={() => talk.edit(null)}>
            Cancel
          </Button>
          <Button size="compact-sm" loading={sending} onClick={() => void send()}>
            Send anew
          </Button>
        </Group>
      </Group>
    </div>
  );
}
