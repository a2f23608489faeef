import { IconFilterPlus, IconPencil } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";

import type { Offer } from "@/palette/command";

/** A new mail, and a new filter. */
export function useMailCommands(): Offer {
  const navigate = useNavigate();
  const mail = {
    id: "mail new",
    label: "New mail",
    group: "Do",
    icon: IconPencil,
    words: "write compose send email message",
    run: () => void navigate({ to: "/mail", search: { dialog: "new" } }),
  };
  const filter = {
    id: "filter new",
    label: "New filter",
    group: "Do",
    icon: IconFilterPlus,
    words: "route mail director pattern regular expression",
    run: () => void navigate({ to: "/mail/filters", search: { dialog: "new" } }),
  };
  return { commands: [mail, filter] };
}
