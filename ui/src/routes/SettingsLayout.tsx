import { Box, NativeSelect, NavLink, Text } from "@mantine/core";
import { Link, Outlet, useNavigate, useRouterState } from "@tanstack/react-router";

import { useMe } from "@/features/identity/useMe";

import { grouped, SETTINGS } from "./navigation";
import styles from "./SettingsLayout.module.css";

/** The settings' own navigation: a list beside the page, or a select on a phone. */
export function SettingsLayout() {
  const { isAdmin } = useMe();
  const navigate = useNavigate();
  const path = useRouterState({ select: (state) => state.location.pathname });
  const groups = grouped(SETTINGS, isAdmin);
  const here = SETTINGS.find(({ to }) => path.startsWith(to ?? ""));
  const go = (to: string) =>
    void navigate({ to: SETTINGS.find((place) => place.to === to)?.to ?? "/settings" });

  return (
    <div className={styles.layout}>
      <Box hiddenFrom="md">
        <NativeSelect
          label="Settings"
          value={here?.to}
          onChange={(event) => go(event.currentTarget.value)}
          data={groups.map(([group, places]) => ({
            group,
            items: places.map(({ to, label }) => ({ value: to ?? "", label })),
          }))}
        />
      </Box>
      <Box component="nav" aria-label="Settings" visibleFrom="md">
        {groups.map(([group, places]) => (
          <div key={group} className={styles.group}>
            <Text size="xs" c="dimmed" fw={600} px={10} mb={4}>
              {group}
            </Text>
            {places.map(({ to, label }) => (
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
