import { Button, Menu, Text } from "@mantine/core";
import { IconBraces } from "@tabler/icons-react";

/** More would not fit on a phone; they can be typed. */
const MOST = 12;

interface Props {
  label: string;
  variables: { name: string; meaning: string }[];
  onInsert: (name: string) => void;
}

/** Puts a variable where the cursor was. */
export function InsertVariable({ label, variables, onInsert }: Props) {
  return (
    <Menu position="bottom-end" width={280} returnFocus={false}>
      <Menu.Target>
        <Button
          size="compact-xs"
          variant="subtle"
          color="gray"
          leftSection={<IconBraces size={14} aria-hidden />}
          aria-label={`Insert a variable into ${label.toLowerCase()}`}
        >
          Insert
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {variables.slice(0, MOST).map(({ name, meaning }) => (
          <Menu.Item key={name} onClick={() => onInsert(name)}>
            <Text size="sm" ff="monospace">{`{{${name}}}`}</Text>
            <Text size="xs">{meaning}</Text>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
