import { useNavigate } from "@tanstack/react-router";

import { useMe } from "@/features/identity/useMe";
import { PLACES, SETTINGS } from "@/routes/navigation";

import type { Offer } from "./command";

/** Every page one may open. */
export function usePageCommands(): Offer {
  const { isAdmin } = useMe();
  const navigate = useNavigate();
  const commands = [...PLACES, ...SETTINGS]
    .filter(({ forAdmins }) => isAdmin || !forAdmins)
    .map((place) => ({
      id: `page ${place.to}`,
      label: place.label,
      group: "Go to",
      icon: place.icon,
      detail: SETTINGS.includes(place) ? "Settings" : undefined,
      words: place.words,
      run: () => void navigate({ to: place.to }),
    }));
  return { commands };
}
