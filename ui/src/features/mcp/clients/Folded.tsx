import { Button, Collapse, Stack } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import type { ReactNode } from "react";

/** Fields that few people need, behind a button that says what they are. */
export function Folded({ label, children }: { label: string; children: ReactNode }) {
  const [opened, { toggle }] = useDisclosure();
  const Chevron = opened ? IconChevronDown : IconChevronRight;
  return (
    <div>
      <Button
        variant="subtle"
        size="compact-sm"
        leftSection={<Chevron size={16} />}
        aria-expanded={opened}
        onClick={toggle}
      >
        {label}
      </Button>
      <Collapse expanded={opened}>
        <Stack gap="md" pt="sm">
          {children}
        </Stack>
      </Collapse>
    </div>
  );
}
