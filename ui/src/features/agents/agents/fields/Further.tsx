import { Button, Collapse, Stack } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import type { ReactNode } from "react";

interface Props {
  label: string;
  /** Something in it is wrong: it cannot be folded away. */
  isFaulty?: boolean;
  children: ReactNode;
}

/** Fields that few people need, behind a button that says what they are. */
export function Further({ label, isFaulty = false, children }: Props) {
  const [opened, { toggle }] = useDisclosure();
  const isOpen = opened || isFaulty;
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <div>
      <Button
        variant="subtle"
        size="compact-sm"
        leftSection={<Chevron size={16} />}
        aria-expanded={isOpen}
        onClick={toggle}
      >
        {label}
      </Button>
      <Collapse expanded={isOpen}>
        <Stack gap="md" pt="sm">
          {children}
        </Stack>
      </Collapse>
    </div>
  );
}
