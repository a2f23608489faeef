import { Button, Popover, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPencil } from "@tabler/icons-react";
import { type SubmitEvent, useState } from "react";

interface Props {
  path: string;
  isBusy: boolean;
  move: (to: string) => Promise<unknown>;
}

/** Another name or folder for a file. */
export function MoveFile({ path, isBusy, move }: Props) {
  const [opened, { open, close }] = useDisclosure();
  const [to, setTo] = useState(path);
  const save = (event: SubmitEvent) => {
    event.preventDefault();
    void move(to.trim()).then(close, () => {});
  };
  return (
    <Popover opened={opened} onChange={close} width={320} trapFocus withinPortal>
      <Popover.Target>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconPencil size={14} />}
          disabled={isBusy}
          onClick={open}
        >
          Move or rename
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <form onSubmit={save}>
          <TextInput
            label="New path"
            description="Notebook, folders and name"
            data-autofocus
            value={to}
            onChange={(event) => setTo(event.currentTarget.value)}
          />
          <Button type="submit" size="xs" mt="sm" disabled={!to.trim() || to.trim() === path}>
            Move
          </Button>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}
