import { Stack, Text } from "@mantine/core";

import { Section } from "@/components/Section";
import { Blocks } from "@/features/agents/prompts/Blocks";

import { Summary } from "./Summary";
import type { Agent, AgentValues } from "./values";

/** An agent for those who may use it and not change it. */
export function Reading({ agent, values }: { agent: Agent; values: AgentValues }) {
  return (
    <Stack gap="xl" maw={680}>
      <Text c="dimmed">
        {agent.description} Only its owner, or an admin of the workspace, can change it.
      </Text>
      <Summary values={values} />
      {values.prompt.length > 0 && (
        <Section title="What it is told">
          <Blocks
            noun="Message"
            blocks={values.prompt}
            faults={{}}
            readOnly
            variables={[]}
            onChange={() => {}}
          />
        </Section>
      )}
    </Stack>
  );
}
