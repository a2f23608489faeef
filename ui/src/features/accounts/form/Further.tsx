import { Button, Collapse, Stack } from "@mantine/core";
import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import { type ReactNode, useEffect, useState } from "react";

interface Props {
  label: string;
  /** Something in it is wrong, and has to be seen. */
  open?: boolean;
  children: ReactNode;
}

/** Fields that few people need, behind a button that says what they are. */
export function Further({ label, open = false, children }: Props) {
  const [opened, setOpened] = useState(open);
  useEffect(() => {
    if (open) setOpened(true);
  }, [open]);
  const Chevron = opened ? IconChevronDown : IconChevronRight;
  return (
    <div>
      <Button
        variant="subtle"
        size="compact-sm"
        leftSection={<Chevron size={16} />}
        aria-expanded={opened}
        onClick={() => setOpened(!opened)}
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
