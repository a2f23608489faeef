import { Button, Group, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";

import { Tag } from "@/components/StateMark";

interface Props {
  title: string;
  note?: string;
  isChanged: boolean;
  saving: boolean;
  mayWrite: boolean;
  maySave: boolean;
  onDiscard: () => void;
  actions?: ReactNode;
}

/** What is open, whether it is saved, and what one does with it. */
export function EditorHead(props: Props) {
  const { title, note, isChanged, saving, mayWrite, maySave, onDiscard, actions } = props;
  return (
    <Group justify="space-between" gap="sm" mb="md">
      <div>
        <Group gap="xs">
          <Title order={2} style={{ overflowWrap: "anywhere" }}>
            {title}
          </Title>
          {isChanged && <Tag>unsaved</Tag>}
        </Group>
        {note && (
          <Text size="sm" c="dimmed">
            {note}
          </Text>
        )}
      </div>
      <Group gap="xs">
        {isChanged && (
          <Button size="xs" variant="default" onClick={onDiscard}>
            Drop changes
          </Button>
        )}
        {mayWrite && (
          <Button size="xs" type="submit" loading={saving} disabled={!maySave}>
            Save
          </Button>
        )}
        {actions}
      </Group>
    </Group>
  );
}
