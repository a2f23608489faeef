import { IconMessage2Code, IconPlus } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";

import { api } from "@/api/client";
import type { Offer } from "@/palette/command";

/** A new prompt, and each that is there by name. */
export function usePromptCommands(): Offer {
  const navigate = useNavigate();
  const { data, isPending } = api.useQuery("get", "/api/v1/prompts");
  const create = {
    id: "prompt new",
    label: "New prompt",
    group: "Do",
    icon: IconPlus,
    words: "make write create add template",
    run: () => void navigate({ to: "/prompts/new" }),
  };
  const open = (data?.items ?? []).map(({ id, name }) => ({
    id,
    label: name,
    group: "Prompts",
    icon: IconMessage2Code,
    words: "open prompt",
    run: () => void navigate({ to: "/prompts/$promptId", params: { promptId: id } }),
  }));
  return { commands: [create, ...open], pending: isPending };
}
