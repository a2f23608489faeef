import { AppShell, Burger, Group, NavLink, Stack } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconHome, IconSettings } from "@tabler/icons-react";
import { Link, Outlet, useRouterState } from "@tanstack/react-router";
import { useEffect } from "react";

import { ColorSchemeMenu } from "@/components/ColorSchemeMenu";
import { useOfficeName } from "@/components/useTitle";
import { UserMenu } from "@/features/identity/UserMenu";

import styles from "./Shell.module.css";

const PLACES = [
  { to: "/", label: "Home", icon: IconHome },
  { to: "/settings", label: "Settings", icon: IconSettings },
] as const;

/** What is around every page: navigation on the left, the person on the right. */
export function Shell() {
  const office = useOfficeName();
  const [opened, { toggle, close }] = useDisclosure();
  const path = useRouterState({ select: (state) => state.location.pathname });
  useEffect(close, [path, close]);

  return (
    <AppShell
      header={{ height: 48 }}
      navbar={{ width: 200, breakpoint: "sm", collapsed: { mobile: !opened } }}
      padding={{ base: "md", sm: "xl" }}
    >
      <a href="#content" className={styles.skip}>
        Skip to content
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="xs" wrap="nowrap" style={{ minWidth: 0 }}>
            <Burger
              opened={opened}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={opened ? "Close the navigation" : "Open the navigation"}
              aria-expanded={opened}
            />
            <img src="/favicon.svg" alt="" width={22} height={22} />
            <Link to="/" className={styles.office}>
              {office}
            </Link>
          </Group>
          <Group gap="xs" wrap="nowrap">
            <ColorSchemeMenu />
            <UserMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" className={styles.navbar} aria-label="Main">
        <Stack gap={2}>
          {PLACES.map(({ to, label, icon: Icon }) => {
            const here = to === "/" ? path === "/" : path.startsWith(to);
            return (
              <NavLink
                key={to}
                component={Link}
                to={to}
                label={label}
                active={here}
                aria-current={here ? "page" : undefined}
                leftSection={<Icon size={18} stroke={1.6} />}
                className={styles.link}
              />
            );
          })}
        </Stack>
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        <Outlet />
      </AppShell.Main>
    </AppShell>
  );
}
