import { AppShell, Drawer } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Outlet } from "@tanstack/react-router";

import { HaltBar } from "@/features/gate/halt/HaltBar";
import { useDesktopNotices } from "@/features/notify/desktop/useDesktopNotices";
import { KeyboardHelp } from "@/keyboard/KeyboardHelp";
import { useKeyboard } from "@/keyboard/useKeyboard";
import { useLive } from "@/live/live";
import { Palette } from "@/palette/Palette";

import { MainNavigation } from "./MainNavigation";
import styles from "./Shell.module.css";
import { ShellHeader } from "./ShellHeader";
import { useArrival } from "./useArrival";
import { useRights } from "./useRights";

/** What is around every page: navigation on the left, or behind a button on a phone; search and the person on top. */
export function Shell() {
  const [navigating, navigation] = useDisclosure();
  const [searching, palette] = useDisclosure();
  const [helping, help] = useDisclosure();
  useLive();
  useDesktopNotices();
  useRights();
  useArrival();
  useKeyboard({ openPalette: palette.open, openHelp: help.open });

  return (
    <AppShell
      header={{ height: 48 }}
      navbar={{ width: 208, breakpoint: "sm", collapsed: { mobile: true } }}
      padding={{ base: "md", sm: "xl" }}
    >
      <a href="#content" className={styles.skip}>
        Skip to content
      </a>
      <ShellHeader
        onNavigate={navigation.open}
        onSearch={palette.open}
        onHelp={help.open}
        navigating={navigating}
      />
      <AppShell.Navbar p="xs" className={styles.navbar} aria-label="Main" visibleFrom="sm">
        <MainNavigation />
      </AppShell.Navbar>
      <Drawer
        opened={navigating}
        onClose={navigation.close}
        title="Go to"
        size={280}
        hiddenFrom="sm"
        transitionProps={{ duration: 120 }}
        closeButtonProps={{ "aria-label": "Close the navigation" }}
        attributes={{ header: { role: "presentation" } }}
      >
        <nav aria-label="Main">
          <MainNavigation onGo={navigation.close} />
        </nav>
      </Drawer>
      <AppShell.Main id="content" tabIndex={-1} className={styles.main}>
        <HaltBar />
        <Outlet />
      </AppShell.Main>
      <Palette opened={searching} onClose={palette.close} />
      <KeyboardHelp opened={helping} onClose={help.close} />
    </AppShell>
  );
}
