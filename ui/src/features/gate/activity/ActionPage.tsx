import { Group, Paper } from "@mantine/core";
import { useParams } from "@tanstack/react-router";

import { api, type Schemas } from "@/api/client";
import { isGone } from "@/api/problem";
import { Fact, Facts } from "@/components/Facts";
import { Page } from "@/components/Page";
import { Section } from "@/components/Section";
import { Loaded } from "@/components/states";
import { TextLink } from "@/components/TextLink";
import { When } from "@/components/When";

import { Arguments } from "../shared/Arguments";
import { CallerName } from "../shared/CallerName";
import { UndoButton, UndoProblem, useUndo } from "../shared/Undo";
import { Untrusted } from "../shared/Untrusted";
import { useMayWrite, useWorkspaceName } from "../shared/useWorkspaces";
import { EFFECTS, LABELS } from "../shared/words";
import { ActionMark } from "./ActionMark";
import { Settle } from "./Unknown";

type Action = Schemas["ActionOut"];

const NOT_ASKED = {
  user: "Not needed: a person did it",
  agent: "No, the rules allow it",
  client: "No, the rules allow it",
};

/** One action: who, what, whose words it rests on, how it ended, and the way back. */
export function ActionPage() {
  const { actionId } = useParams({ from: "/shell/activity/$actionId" });
  const params = { path: { action_id: actionId } };
  const action = api.useQuery("get", "/api/v1/actions/{action_id}", { params });
  const { data, error } = action;
  const there = data && !isGone(error);
  return (
    <Page
      title={there ? (data.undoes ? `Undo: ${data.title}` : data.title) : "Action"}
      description={
        <TextLink to="/activity" size="sm">
          All activity
        </TextLink>
      }
    >
      <Loaded query={action}>{(found) => <Parts action={found} />}</Loaded>
    </Page>
  );
}

function Parts({ action }: { action: Action }) {
  const undo = useUndo(action);
  const mayWrite = useMayWrite()(action.workspaceId);
  const { summary, error } = action;
  return (
    <>
      <Section
        title="What came of it"
        actions={
          <Group gap="xs">
            {mayWrite && action.undoable && <UndoButton undo={undo} title={action.title} />}
            {mayWrite && action.status === "unknown" && <Settle action={action} />}
          </Group>
        }
      >
        <UndoProblem undo={undo} />
        <Facts>
          <Fact name="State">
            <Group gap="xs">
              <ActionMark action={action} />
            </Group>
          </Fact>
          {summary && (
            <Fact name="Result">
              <Untrusted>{summary}</Untrusted>
            </Fact>
          )}
          {error && (
            <Fact name="What went wrong">
              <Untrusted>{error}</Untrusted>
            </Fact>
          )}
          <Other name="Taken back by" id={action.undoneBy} />
          <Other name="Takes back" id={action.undoes} />
        </Facts>
      </Section>
      <Section title="Who and why">
        <WhoAndWhy action={action} />
      </Section>
      <Section title="What the tool was given">
        <Paper withBorder radius="md" px="md" py="sm">
          <Arguments values={action.arguments} />
        </Paper>
      </Section>
    </>
  );
}

function WhoAndWhy({ action }: { action: Action }) {
  const workspaceName = useWorkspaceName();
  return (
    <Facts>
      <Fact name="By">
        <CallerName caller={action.caller} />
      </Fact>
      <Fact name="Tool">
        <code>{action.tool}</code>, {EFFECTS[action.effect]}
      </Fact>
      <Fact name="Workspace">{workspaceName(action.workspaceId)}</Fact>
      <Fact name="When">
        <When at={action.createdAt} />
      </Fact>
      <Fact name="It rests on">{LABELS[action.label]}</Fact>
      <Fact name="Asked a person">
        {action.approvalId ? (
          <TextLink to="/approvals/$approvalId" params={{ approvalId: action.approvalId }}>
            Yes, see the answer
          </TextLink>
        ) : (
          NOT_ASKED[action.caller.kind]
        )}
      </Fact>
    </Facts>
  );
}

function Other({ name, id }: { name: string; id: string | null }) {
  if (!id) return null;
  return (
    <Fact name={name}>
      <TextLink to="/activity/$actionId" params={{ actionId: id }}>
        {name === "Takes back" ? "The earlier action" : "Another action"}
      </TextLink>
    </Fact>
  );
}
