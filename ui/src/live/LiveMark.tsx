import { Group, Loader, Text, VisuallyHidden } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";

import { useConnection } from "./live";

const PATIENCE = 1200;

/** Says when what is on the page may be old; says nothing while all is well. */
export function LiveMark() {
  const [lost] = useDebouncedValue(useConnection() === "lost", PATIENCE);
  return (
    <Group role="status" gap={6} wrap="nowrap">
      {lost && (
        <>
          <Loader size={14} color="gray" aria-hidden />
          <Text size="sm" c="dimmed">
            Reconnecting…
          </Text>
          <VisuallyHidden>The page may be out of date.</VisuallyHidden>
        </>
      )}
    </Group>
  );
}
