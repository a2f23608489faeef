import { IconInbox } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";

import type { Offer } from "@/palette/command";

/** What is done with the inbox from anywhere. */
export function useInboxCommands(): Offer {
  const navigate = useNavigate();
  const to = (tab: "guidelines" | "settings") => () =>
    void navigate({ to: "/inbox", search: { tab } });
  return {
    commands: [
      {
        id: "inbox guidelines",
        label: "Say what belongs where",
        group: "Do",
        icon: IconInbox,
        words: "inbox guideline organiser papers files rules proposals",
        run: to("guidelines"),
      },
      {
        id: "inbox settings",
        label: "Settings of the inbox",
        group: "Do",
        icon: IconInbox,
        words: "organiser automatic model confidence never touch",
        run: to("settings"),
      },
    ],
  };
}
