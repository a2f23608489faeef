import { Button, Switch } from "@mantine/core";
import { IconMessage } from "@tabler/icons-react";
import { useParams } from "@tanstack/react-router";
import { useMemo } from "react";

import { api } from "@/api/client";
import { isGone } from "@/api/problem";
import { Page } from "@/components/Page";
import { Tag } from "@/components/StateMark";
import { Loaded, LoadingForm } from "@/components/states";
import { TextLink } from "@/components/TextLink";
import { useWorkspaceName } from "@/features/gate/shared/useWorkspaces";

import { AgentMenu } from "./AgentMenu";
import { Editor } from "./Editor";
import { Orphan } from "./Orphan";
import { Reading } from "./Reading";
import { useAgentActions } from "./useAgentActions";
import { useTalk } from "./useTalk";
import { type Agent, formValues } from "./values";

/** One agent, to change or to read. */
export function AgentPage() {
  const { agentId } = useParams({ strict: false });
  const params = { path: { agent_id: agentId ?? "" } };
  const agent = api.useQuery("get", "/api/v1/agents/{agent_id}", { params });
  const { data, error } = agent;
  const back = <TextLink to="/agents">All agents</TextLink>;
  if (!data || isGone(error)) {
    return (
      <Page title="Agent" description={back} wide>
        <Orphan id={agentId ?? ""} error={error} />
        <Loaded query={agent} loading={<LoadingForm />}>
          {() => null}
        </Loaded>
      </Page>
    );
  }
  return <Opened key={data.id} agent={data} />;
}

function Opened({ agent }: { agent: Agent }) {
  const workspaceName = useWorkspaceName();
  const start = useMemo(() => formValues(agent, agent.workspaceId), [agent]);
  return (
    <Page
      wide
      title={agent.name}
      description={
        <>
          <TextLink to="/agents" underline="always">
            All agents
          </TextLink>{" "}
          · {workspaceName(agent.workspaceId)} · {agent.ownerName}’s{" "}
          {agent.isOffline && <Tag>Rules, not AI</Tag>}
        </>
      }
      actions={<Actions agent={agent} />}
    >
      {agent.canEdit ? (
        <Editor id={agent.id} start={start} saved={agent} />
      ) : (
        <Reading agent={agent} values={start} />
      )}
    </Page>
  );
}

function Actions({ agent }: { agent: Agent }) {
  const { switchTo } = useAgentActions();
  const talk = useTalk();
  const isActive = agent.isActive ?? true;
  return (
    <>
      {agent.canEdit && (
        <Switch
          label="Switched on"
          labelPosition="left"
          mr="xs"
          checked={isActive}
          onChange={(event) => switchTo(agent, event.currentTarget.checked)}
        />
      )}
      <Button
        leftSection={<IconMessage size={16} />}
        disabled={!isActive}
        onClick={() => talk(agent.id)}
      >
        Talk to it
      </Button>
      <AgentMenu agent={agent} />
    </>
  );
}
