import { Button, Modal, NativeSelect, Stack, Textarea } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconRobot } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";

import { api } from "@/api/client";

interface Props {
  workspace: string;
  path: string;
  kind: "file" | "folder";
}

/** Hands a file or folder to an agent: a session that begins with it. */
export function AskAgent({ workspace, path, kind }: Props) {
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconRobot size={14} />}
        onClick={open}
      >
        Ask an agent
      </Button>
      <Modal opened={opened} onClose={close} title={`Hand this ${kind} to an agent`}>
        <Words workspace={workspace} path={path} kind={kind} />
      </Modal>
    </>
  );
}

function Words({ workspace, path, kind }: Props) {
  const agents = api.useQuery("get", "/api/v1/agents", {
    params: { query: { workspaceId: workspace } },
  });
  const start = api.useMutation("post", "/api/v1/agents/{agent_id}/sessions");
  const navigate = useNavigate();
  const known = agents.data?.items.filter(({ isActive }) => isActive) ?? [];
  const [chosen, setChosen] = useState<string>();
  const [words, setWords] = useState(`Look at the ${kind} ${path} and `);
  const agent = chosen ?? known[0]?.id;
  const ask = () =>
    agent &&
    start.mutate(
      { params: { path: { agent_id: agent } }, body: { content: words } },
      {
        onSuccess: ({ threadId }) =>
          void navigate({ to: "/chat/$threadId", params: { threadId: threadId ?? "" } }),
      },
    );
  return (
    <Stack gap="md">
      <NativeSelect
        label="Agent"
        description={known.length === 0 ? "There is none yet. Make one under Agents." : undefined}
        data={known.map(({ id, name }) => ({ value: id, label: name }))}
        value={agent}
        onChange={(event) => setChosen(event.currentTarget.value)}
      />
      <Textarea
        label="What to do"
        autosize
        minRows={3}
        maxRows={10}
        data-autofocus
        value={words}
        onChange={(event) => setWords(event.currentTarget.value)}
      />
      <Button onClick={ask} loading={start.isPending} disabled={!agent || !words.trim()}>
        Start
      </Button>
    </Stack>
  );
}
