import { ActionIcon, Button, Group, Popover, TagsInput } from "@mantine/core";
import { IconTag } from "@tabler/icons-react";
import { useState } from "react";

import styles from "./Tags.module.css";
import type { Folder, Mail } from "./words";

const FIELD = { input: styles.tags };

interface Props {
  mail: Mail;
  folders: Folder[];
  onSave: (change: { add: string[]; remove: string[] }) => void;
}

const isLabel = ({ kind, role }: Pick<Folder, "kind" | "role">) => kind === "label" && !role;

/** Puts labels on a mail and takes them off; a new one is made. */
export function Labels({ mail, folders, onSave }: Props) {
  const [opened, setOpened] = useState(false);
  const before = mail.folders.filter(isLabel).map(({ title }) => title);
  const [labels, setLabels] = useState(before);
  const known = folders.filter((one) => isLabel(one) && one.accountId === mail.accountId);
  const show = (next: boolean) => {
    if (next) setLabels(before);
    setOpened(next);
  };
  const save = () => {
    setOpened(false);
    const add = labels.filter((label) => !before.includes(label));
    const remove = before.filter((label) => !labels.includes(label));
    if (add.length + remove.length > 0) onSave({ add, remove });
  };
  return (
    <Popover
      opened={opened}
      onChange={show}
      position="bottom-end"
      width={280}
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label="Labels"
          title="Labels"
          onClick={() => show(!opened)}
        >
          <IconTag size={17} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label="Labels">
        <TagsInput
          label="Labels"
          placeholder="Add one"
          data={known.map(({ title }) => title)}
          value={labels}
          onChange={setLabels}
          maxTags={20}
          acceptValueOnBlur
          classNames={FIELD}
          comboboxProps={{ withinPortal: false }}
          data-autofocus
        />
        <Group justify="flex-end" mt="sm">
          <Button size="xs" onClick={save}>
            Save
          </Button>
        </Group>
      </Popover.Dropdown>
    </Popover>
  );
}
