import { IconMailPlus } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";

import type { Offer } from "@/palette/command";

import { useManaged } from "./useManaged";

/** A new account, for those who may connect one. */
export function useAccountCommands(): Offer {
  const navigate = useNavigate();
  const { items } = useManaged();
  const connect = {
    id: "account connect",
    label: "Connect an account",
    group: "Do",
    icon: IconMailPlus,
    words: "new add mail mailbox gmail google outlook imap smtp provider",
    run: () => void navigate({ to: "/settings/accounts/connect", search: {} }),
  };
  return { commands: items.length > 0 ? [connect] : [] };
}
