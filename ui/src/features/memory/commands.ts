import { IconBulb } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";

import type { Offer } from "@/palette/command";

/** Something to remember. */
export function useMemoryCommands(): Offer {
  const navigate = useNavigate();
  const add = {
    id: "memory new",
    label: "Remember something",
    group: "Do",
    icon: IconBulb,
    words: "new add memory note",
    run: () => void navigate({ to: "/memory", search: { dialog: "new" } }),
  };
  return { commands: [add] };
}
