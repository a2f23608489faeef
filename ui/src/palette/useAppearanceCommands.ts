import { useMantineColorScheme } from "@mantine/core";
import { IconDeviceDesktop, IconMoon, IconSun } from "@tabler/icons-react";

import type { Offer } from "./command";

/** Light, dark, or as the system says. */
export function useAppearanceCommands(): Offer {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const shared = { group: "Appearance", words: "theme colours scheme mode appearance" };
  const commands = [
    { scheme: "light", label: "Light colours", icon: IconSun },
    { scheme: "dark", label: "Dark colours", icon: IconMoon },
    { scheme: "auto", label: "Colours as the system", icon: IconDeviceDesktop },
  ] as const;
  return {
    commands: commands
      .filter(({ scheme }) => scheme !== colorScheme)
      .map(({ scheme, label, icon }) => ({
        ...shared,
        id: `colours ${scheme}`,
        label,
        icon,
        run: () => setColorScheme(scheme),
      })),
  };
}
