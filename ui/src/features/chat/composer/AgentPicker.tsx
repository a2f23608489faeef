import { Button, Menu } from "@mantine/core";
import { IconChevronDown, IconRobot } from "@tabler/icons-react";

import type { Agent } from "./useTypedOffers";

interface Props {
  agent: Agent;
  agents: Agent[];
  onChoose: (id: string) => void;
}

/** Who answers. */
export function AgentPicker({ agent, agents, onChoose }: Props) {
  return (
    <Menu position="top-start" width={240}>
      <Menu.Target>
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          maw={200}
          fw={500}
          leftSection={<IconRobot size={16} aria-hidden />}
          rightSection={<IconChevronDown size={14} aria-hidden />}
          aria-label={`Agent: ${agent.name || "none"}`}
        >
          {agent.name || "No agent"}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={320} style={{ overflowY: "auto" }}>
        {agents.map(({ id, name }) => (
          <Menu.Item
            key={id}
            aria-current={id === agent.id || undefined}
            onClick={() => onChoose(id)}
          >
            {name}
          </Menu.Item>
        ))}
        {agents.length === 0 && <Menu.Item disabled>There is no agent yet.</Menu.Item>}
      </Menu.Dropdown>
    </Menu>
  );
}
