import { Alert, Button, Group, Text } from "@mantine/core";
import { IconGitMerge } from "@tabler/icons-react";

interface Props {
  kind: string;
  onTheirs: () => void;
  onMine: () => void;
}

/** Someone else saved in the meantime: one says whose words stay. */
export function Conflict({ kind, onTheirs, onMine }: Props) {
  return (
    <Alert
      role="alert"
      variant="default"
      icon={<IconGitMerge size={18} />}
      title={`Someone else changed this ${kind} meanwhile`}
      styles={{ message: { color: "var(--mantine-color-text)" } }}
    >
      <Text size="sm" mb="xs">
        Your changes are still here and not saved. Take theirs to see what they wrote; keep yours,
        and the next save replaces theirs.
      </Text>
      <Group gap="xs">
        <Button size="xs" variant="default" onClick={onTheirs}>
          Take theirs
        </Button>
        <Button size="xs" variant="default" onClick={onMine}>
          Keep mine
        </Button>
      </Group>
    </Alert>
  );
}
