import { IconCpu } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";

import { useMe } from "@/features/identity/useMe";
import type { Offer } from "@/palette/command";

/** A new model, for those who may add one. */
export function useModelCommands(): Offer {
  const navigate = useNavigate();
  const { isAdmin } = useMe();
  const add = {
    id: "model new",
    label: "Add a model",
    group: "Do",
    icon: IconCpu,
    words: "new openai anthropic claude gpt gemini mistral ollama azure bedrock key llm ai",
    run: () => void navigate({ to: "/settings/models", search: { dialog: "new" } }),
  };
  return { commands: isAdmin ? [add] : [] };
}
