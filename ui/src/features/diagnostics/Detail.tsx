import { Alert, Button, Group, Stack, Switch, Tabs, Text, Title } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useState } from "react";

import { api, type Schemas } from "@/api/client";
import { CodeBlock } from "@/components/CodeBlock";
import { Fact, Facts } from "@/components/Facts";
import { notify } from "@/components/notify";
import { Empty, Loaded } from "@/components/states";
import { Unfold } from "@/components/Unfold";
import { useConfirm } from "@/components/useConfirm";
import { useRefresh } from "@/live/useRefresh";

import { nameOf } from "./words";

const asJson = (value: unknown) => JSON.stringify(value, null, 2);
const exact = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "medium" });

/** What is known of the chosen entry: its result, and the mail that it began with. */
export function Detail({ id, onDeleted }: { id: string | null; onDeleted: () => void }) {
  if (!id) {
    return (
      <Empty title="Nothing is chosen">
        Choose a cycle, a director, an agent or a line on the left.
      </Empty>
    );
  }
  return <Chosen key={id} id={id} onDeleted={onDeleted} />;
}

function Chosen({ id, onDeleted }: { id: string; onDeleted: () => void }) {
  const params = { path: { node_id: id } };
  const detail = api.useQuery("get", "/api/v1/diagnostics/unified/{node_id}", { params });
  const refresh = useRefresh();
  const { ask, dialog } = useConfirm();
  const remove = api.useMutation("delete", "/api/v1/diagnostics/unified/{node_id}", {
    meta: { inForm: true },
    onSuccess: async () => {
      onDeleted();
      await refresh("diagnostics");
      notify.done("The diagnostics are deleted.");
    },
  });
  const askToDelete = () =>
    ask({
      title: "Delete these diagnostics?",
      body: "The lines, and what went to models and came back, are gone for good. The case, its items and its transcript stay.",
      verb: "Delete",
      run: () => remove.mutateAsync({ params }),
    });
  return (
    <Loaded query={detail}>
      {(found) => (
        <Stack gap="sm">
          <Group justify="space-between">
            <Title order={2}>{nameOf(found.node)}</Title>
            <Button
              variant="default"
              size="xs"
              leftSection={<IconTrash size={14} />}
              onClick={askToDelete}
            >
              Delete
            </Button>
          </Group>
          {found.contentHidden && (
            <Alert color="gray" title="This is someone else’s">
              You see times, figures, tools and verdicts. What was asked and answered is for whose
              it is.
            </Alert>
          )}
          <Tabs defaultValue="result" keepMounted={false}>
            <Tabs.List>
              <Tabs.Tab value="result">Result</Tabs.Tab>
              <Tabs.Tab value="email">Email</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="result" pt="sm">
              <Result found={found} />
            </Tabs.Panel>
            <Tabs.Panel value="email" pt="sm">
              <Email found={found} />
            </Tabs.Panel>
          </Tabs>
          {dialog}
        </Stack>
      )}
    </Loaded>
  );
}

type Found = Schemas["NodeDetailOut"];

function Result({ found }: { found: Found }) {
  const { line, children = [], ...figures } = found.node;
  return (
    <Stack gap="sm">
      {line?.error && (
        <Alert color="gray" title="It went wrong">
          {line.error}
        </Alert>
      )}
      {line?.result != null && <CodeBlock label="Result">{asJson(line.result)}</CodeBlock>}
      {!line && (
        <Facts>
          <Fact name="Began">{exact.format(new Date(found.node.at))}</Fact>
          {figures.model && <Fact name="Model">{figures.model}</Fact>}
          <Fact name="Calls of models">
            {figures.modelCalls}, {figures.latencyMs} ms
          </Fact>
          <Fact name="Tokens">
            {figures.inputTokens} in, {figures.outputTokens} out
          </Fact>
          <Fact name="Tool calls">
            {figures.toolCalls}, {figures.failedCalls} refused or failed
          </Fact>
          {children.length > 0 && <Fact name="In it">{children.length}</Fact>}
        </Facts>
      )}
      {line && (
        <Unfold label="Detail" opened={line.result == null}>
          {() => <CodeBlock label="Detail">{asJson(line.detail)}</CodeBlock>}
        </Unfold>
      )}
      <Unfold label="Raw JSON">
        {() => <CodeBlock label="Raw JSON">{asJson(line ?? found)}</CodeBlock>}
      </Unfold>
    </Stack>
  );
}

function Email({ found }: { found: Found }) {
  const [raw, setRaw] = useState(false);
  const { email } = found;
  if (!email) {
    return (
      <Empty title={found.emailHidden ? "The mail is not yours" : "There is no one mail here"}>
        {found.emailHidden
          ? "It is in an account that nobody shares with you."
          : "Choose a director or a line to see the mail that its work began with."}
      </Empty>
    );
  }
  return (
    <Stack gap="sm">
      <Switch
        label="Raw JSON"
        checked={raw}
        onChange={(event) => setRaw(event.currentTarget.checked)}
      />
      {raw ? <CodeBlock label="Mail as JSON">{asJson(email)}</CodeBlock> : <Mail email={email} />}
    </Stack>
  );
}

function Mail({ email }: { email: Schemas["OriginMailOut"] }) {
  return (
    <>
      <Facts>
        <Fact name="Subject">{email.subject || "(no subject)"}</Fact>
        <Fact name="From">{email.sender}</Fact>
        {email.to.length > 0 && <Fact name="To">{email.to.join(", ")}</Fact>}
        {email.cc.length > 0 && <Fact name="Cc">{email.cc.join(", ")}</Fact>}
        <Fact name="Received">{exact.format(new Date(email.receivedAt))}</Fact>
        {email.messageId && <Fact name="Message-ID">{email.messageId}</Fact>}
        {email.attachments.length > 0 && (
          <Fact name="Attached">
            {email.attachments.map(({ name, size }) => `${name} (${size} bytes)`).join(", ")}
          </Fact>
        )}
      </Facts>
      <Text size="sm">
        {email.isGone ? "The mail was removed; this is what its case kept." : email.snippet}
      </Text>
    </>
  );
}
