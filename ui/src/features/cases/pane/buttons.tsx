import { ActionIcon, Button, Tooltip } from "@mantine/core";
import { IconMail, IconTrash } from "@tabler/icons-react";
import type { ReactElement } from "react";

/** Shows the mail beside it, or takes it away again. */
export function MailButton({ shown, onClick }: { shown: boolean; onClick: () => void }) {
  return (
    <Button
      size="compact-sm"
      variant={shown ? "light" : "default"}
      leftSection={<IconMail size={15} />}
      aria-pressed={shown}
      onClick={onClick}
    >
      The mail
    </Button>
  );
}

export function DeleteButton({
  onClick,
  label = "Delete",
}: {
  onClick: () => void;
  label?: string;
}) {
  return (
    <Tip label={`${label} (Del)`}>
      <ActionIcon variant="subtle" color="gray" aria-label={label} onClick={onClick}>
        <IconTrash size={17} />
      </ActionIcon>
    </Tip>
  );
}

export function Tip({ label, children }: { label: string; children: ReactElement }) {
  return <Tooltip label={label}>{children}</Tooltip>;
}
