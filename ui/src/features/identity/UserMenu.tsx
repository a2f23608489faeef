import { Menu, Text, UnstyledButton } from "@mantine/core";
import { IconLogout, IconUser } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";

import { api } from "@/api/client";

import { PersonAvatar } from "./PersonAvatar";
import { useMe } from "./useMe";

/** Who is signed in, and the way out. */
export function UserMenu() {
  const me = useMe();
  const navigate = useNavigate();
  const client = useQueryClient();
  const logOut = api.useMutation("post", "/api/v1/auth/logout", {
    onSuccess: async () => {
      await navigate({ to: "/login" });
      client.clear();
    },
  });
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
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => logOut.mutate({})}>
          Log out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
