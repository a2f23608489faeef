import { IconPlus, IconWebhook } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";

import { api } from "@/api/client";
import { useMe } from "@/features/identity/useMe";
import type { Offer } from "@/palette/command";

/** A new webhook, and each one by name. */
export function useNotifyCommands(): Offer {
  const { isAdmin } = useMe();
  const navigate = useNavigate();
  const { data } = api.useQuery("get", "/api/v1/webhooks", {}, { enabled: isAdmin });
  if (!isAdmin) return { commands: [] };
  const create = {
    id: "webhook new",
    label: "New webhook",
    group: "Do",
    icon: IconPlus,
    words: "make create add notify callback",
    run: () => void navigate({ to: "/settings/webhooks", search: { dialog: "new" } }),
  };
  const open = (data?.items ?? []).map(({ id, name }) => ({
    id,
    label: name,
    group: "Webhooks",
    icon: IconWebhook,
    words: "open webhook",
    run: () => void navigate({ to: "/settings/webhooks/$webhookId", params: { webhookId: id } }),
  }));
  return { commands: [create, ...open] };
}
