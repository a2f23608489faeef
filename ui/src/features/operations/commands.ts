import { IconCalendarTime, IconDatabaseExport } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";

import { useMe } from "@/features/identity/useMe";
import type { Offer } from "@/palette/command";

/** What an admin does about the installation. */
export function useOperationsCommands(): Offer {
  const { isAdmin } = useMe();
  const navigate = useNavigate();
  if (!isAdmin) return { commands: [] };
  const to = "/settings/backups";
  return {
    commands: [
      {
        id: "backup new",
        label: "Make a backup",
        group: "Do",
        icon: IconDatabaseExport,
        words: "new create save export",
        run: () => void navigate({ to, search: { dialog: "new" } }),
      },
      {
        id: "backup schedule",
        label: "Change the backup schedule",
        group: "Do",
        icon: IconCalendarTime,
        words: "automatic nightly cron time",
        run: () => void navigate({ to, search: { dialog: "schedule" } }),
      },
    ],
  };
}
