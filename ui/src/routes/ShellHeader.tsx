import { AppShell, Box, Burger, Group } from "@mantine/core";
import { Link } from "@tanstack/react-router";

import { ColorSchemeMenu } from "@/components/ColorSchemeMenu";
import { useOfficeName } from "@/components/useTitle";
import { useWaiting } from "@/features/gate/approvals/useWaiting";
import { HaltButton } from "@/features/gate/halt/HaltButton";
import { UserMenu } from "@/features/identity/UserMenu";
import { LiveMark } from "@/live/LiveMark";
import { PaletteButton } from "@/palette/PaletteButton";

import styles from "./Shell.module.css";

interface Props {
  navigating: boolean;
  onNavigate: () => void;
  onSearch: () => void;
  onHelp: () => void;
}

/** The line on top of every page. */
export function ShellHeader({ navigating, onNavigate, onSearch, onHelp }: Props) {
  const office = useOfficeName();
  const waiting = useWaiting();
  return (
    <AppShell.Header>
      <Group h="100%" px={{ base: "xs", sm: "md" }} justify="space-between" wrap="nowrap" gap="md">
        <Group gap="xs" wrap="nowrap" miw={0}>
          <Box className={styles.burger} data-waiting={waiting > 0 || undefined} hiddenFrom="sm">
            <Burger
              opened={false}
              onClick={onNavigate}
              size="sm"
              aria-label={
                waiting ? `Open the navigation, ${waiting} waiting` : "Open the navigation"
              }
              aria-expanded={navigating}
            />
          </Box>
          <img src="/favicon.svg" alt="" width={22} height={22} />
          <Link to="/" className={styles.office}>
            {office}
          </Link>
        </Group>
        <Group gap="xs" wrap="nowrap" style={{ flex: "none" }}>
          <LiveMark />
          <HaltButton />
          <PaletteButton onClick={onSearch} />
          <ColorSchemeMenu />
          <UserMenu onHelp={onHelp} />
        </Group>
      </Group>
    </AppShell.Header>
  );
}
