import { Box, NativeSelect, NavLink, Text } from "@mantine/core";
import { Link, Outlet, useNavigate, useRouterState } from "@tanstack/react-router";

import { useMe } from "@/features/identity/useMe";

import styles from "./SettingsLayout.module.css";

const YOURS = [
  { to: "/settings/profile", label: "Profile" },
  { to: "/settings/sessions", label: "Sessions" },
  { to: "/settings/tokens", label: "API tokens" },
  { to: "/settings/workspaces", label: "Workspaces" },
] as const;

const OFFICES = [
  { to: "/settings/users", label: "Users" },
  { to: "/settings/providers", label: "Log-in providers" },
  { to: "/settings/office", label: "Office" },
  { to: "/settings/backups", label: "Backups and keys" },
  { to: "/settings/changes", label: "Change record" },
  { to: "/settings/sign-ins", label: "Sign-ins" },
] as const;

/** The settings' own navigation: a list beside the page, or a select on a phone. */
export function SettingsLayout() {
  const { isAdmin } = useMe();
  const navigate = useNavigate();
  const path = useRouterState({ select: (state) => state.location.pathname });
  const groups = [
    { group: "You", items: YOURS },
    ...(isAdmin ? [{ group: "This office", items: OFFICES }] : []),
  ];
  const all = groups.flatMap(({ items }) => [...items]);
  const here = all.find(({ to }) => path.startsWith(to));
  const go = (to: string) => {
    const place = all.find((item) => item.to === to);
    if (place) void navigate({ to: place.to });
  };

  return (
    <div className={styles.layout}>
      <Box hiddenFrom="md">
        <NativeSelect
          label="Settings"
          value={here?.to}
          onChange={(event) => go(event.currentTarget.value)}
          data={groups.map(({ group, items }) => ({
            group,
            items: items.map(({ to, label }) => ({ value: to, label })),
          }))}
        />
      </Box>
      <Box component="nav" aria-label="Settings" visibleFrom="md">
        {groups.map(({ group, items }) => (
          <div key={group} className={styles.group}>
            <Text size="xs" c="dimmed" fw={600} px={10} mb={4}>
              {group}
            </Text>
            {items.map(({ to, label }) => (
              <NavLink
                key={to}
                component={Link}
                to={to}
                label={label}
                active={here?.to === to}
                aria-current={here?.to === to ? "page" : undefined}
                className={styles.link}
              />
            ))}
          </div>
        ))}
      </Box>
      <Outlet />
    </div>
  );
}
