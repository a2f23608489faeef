import { Box, Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";

import { api } from "@/api/client";
import { Page } from "@/components/Page";
import { Section } from "@/components/Section";
import { Empty, Loaded } from "@/components/states";

import { AgentLists } from "./AgentLists";
import { Presets } from "./Presets";

const DESCRIPTION =
  "Workers of your own: each has a model, words that tell it what to do, and a scope that it cannot leave.";

/** All agents that one may use. */
export function AgentsPage() {
  const agents = api.useQuery("get", "/api/v1/agents");
  const add = (
    <Button component={Link} to="/agents/new" leftSection={<IconPlus size={16} />}>
      New agent
    </Button>
  );
  return (
    <Page title="Agents" description={DESCRIPTION} actions={agents.data?.items.length ? add : null}>
      <Loaded query={agents}>
        {({ items }) => (items.length > 0 ? <AgentLists agents={items} /> : <NoneYet />)}
      </Loaded>
    </Page>
  );
}

function NoneYet() {
  return (
    <>
      <Empty title="No agent works here yet">
        Choose one below: it is ready to use, and you can change everything about it first. Without
        a model of your own it works by simple rules, so nothing is sent anywhere.
      </Empty>
      <Box mt="lg">
        <Section title="Ready to use">
          <Presets />
        </Section>
      </Box>
    </>
  );
}
