import { Kbd, Menu, Text, UnstyledButton } from "@mantine/core";
import { IconKeyboard, IconLogout, IconUser } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";

import { PersonAvatar } from "./PersonAvatar";
import { useLogOut } from "./useLogOut";
import { useMe } from "./useMe";

/** Who is signed in, and the way out. */
export function UserMenu({ onHelp }: { onHelp: () => void }) {
  const me = useMe();
  const { logOut } = useLogOut();
  return (
    <Menu position="bottom-end" width={220} withinPortal={false}>
      <Menu.Target>
        <UnstyledButton aria-label={`Your menu, ${me.name}`} style={{ borderRadius: "50%" }}>
          <PersonAvatar person={me} size={30} version={me.avatarVersion} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={500} c="var(--mantine-color-text)" truncate>
            {me.name}
          </Text>
          <Text size="xs" c="dimmed" truncate>
            {me.email}
          </Text>
        </Menu.Label>
        <Menu.Item component={Link} to="/settings/profile" leftSection={<IconUser size={16} />}>
          Profile
        </Menu.Item>
        <Menu.Item
          leftSection={<IconKeyboard size={16} />}
          rightSection={<Kbd size="xs">?</Kbd>}
          onClick={onHelp}
        >
          Keyboard
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={logOut}>
          Log out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
