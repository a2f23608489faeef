import { IconKey, IconLogin2, IconLogout, IconUserPlus } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";

import type { Offer } from "@/palette/command";

import { useLogOut } from "./useLogOut";
import { useMe } from "./useMe";

/** What one does about people and keys. */
export function useIdentityCommands(): Offer {
  const { isAdmin } = useMe();
  const navigate = useNavigate();
  const { logOut } = useLogOut();
  const search = { dialog: "new" };
  const mine = [
    {
      id: "token new",
      label: "New API token",
      icon: IconKey,
      words: "make create add key",
      run: () => void navigate({ to: "/settings/tokens", search }),
    },
    {
      id: "log out",
      label: "Log out",
      icon: IconLogout,
      words: "sign out leave exit",
      run: logOut,
    },
  ];
  const admins = [
    {
      id: "user invite",
      label: "Invite a person",
      icon: IconUserPlus,
      words: "new user add someone member",
      run: () => void navigate({ to: "/settings/users", search }),
    },
    {
      id: "provider new",
      label: "Add a log-in provider",
      icon: IconLogin2,
      words: "new google oidc sso",
      run: () => void navigate({ to: "/settings/providers", search }),
    },
  ];
  const commands = [...(isAdmin ? admins : []), ...mine];
  return { commands: commands.map((command) => ({ ...command, group: "Do" })) };
}
