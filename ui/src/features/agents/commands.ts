import { IconMessage, IconPlus, IconRobot } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";

import { api } from "@/api/client";
import type { Offer } from "@/palette/command";

import { useTalk } from "./agents/useTalk";

/** A new agent, each that is there by name, and a talk with it. */
export function useAgentCommands(): Offer {
  const navigate = useNavigate();
  const talk = useTalk();
  const { data, isPending } = api.useQuery("get", "/api/v1/agents");
  const agents = data?.items ?? [];
  const create = {
    id: "agent new",
    label: "New agent",
    group: "Do",
    icon: IconPlus,
    words: "make create add preset worker assistant",
    run: () => void navigate({ to: "/agents/new" }),
  };
  const open = agents.map(({ id, name }) => ({
    id,
    label: name,
    group: "Agents",
    icon: IconRobot,
    words: "open agent",
    run: () => void navigate({ to: "/agents/$agentId", params: { agentId: id } }),
  }));
  const talks = agents
    .filter(({ isActive }) => isActive)
    .map(({ id, name }) => ({
      id: `talk ${id}`,
      label: `Talk to ${name}`,
      group: "Agents",
      icon: IconMessage,
      words: "chat session ask start agent",
      run: () => talk(id),
    }));
  return { commands: [create, ...open, ...talks], pending: isPending };
}
