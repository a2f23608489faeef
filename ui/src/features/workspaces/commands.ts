import { IconPlus, IconUsersGroup } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";

import { api } from "@/api/client";
import type { Offer } from "@/palette/command";

/** A new workspace, and each of one's own by name. */
export function useWorkspaceCommands(): Offer {
  const navigate = useNavigate();
  const { data, isPending } = api.useQuery("get", "/api/v1/workspaces");
  const create = {
    id: "workspace new",
    label: "New workspace",
    group: "Do",
    icon: IconPlus,
    words: "make create add team",
    run: () => void navigate({ to: "/settings/workspaces", search: { dialog: "new" } }),
  };
  const open = (data?.items ?? []).map(({ id, name }) => ({
    id,
    label: name,
    group: "Workspaces",
    icon: IconUsersGroup,
    words: "open workspace",
    run: () =>
      void navigate({ to: "/settings/workspaces/$workspaceId", params: { workspaceId: id } }),
  }));
  return { commands: [create, ...open], pending: isPending };
}
