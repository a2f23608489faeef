import { IconAddressBook } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";

import type { Offer } from "@/palette/command";

/** Someone new in the address book. */
export function useContactCommands(): Offer {
  const navigate = useNavigate();
  const add = {
    id: "contact new",
    label: "Add someone to the address book",
    group: "Do",
    icon: IconAddressBook,
    words: "new contact person vcard",
    run: () => void navigate({ to: "/mail/contacts", search: { dialog: "new" } }),
  };
  return { commands: [add] };
}
