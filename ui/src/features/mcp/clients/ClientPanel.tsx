import { Drawer, Stack } from "@mantine/core";

import { Fact, Facts } from "@/components/Facts";
import { Section } from "@/components/Section";
import { When } from "@/components/When";
import { Untrusted } from "@/features/gate/shared/Untrusted";
import { useWorkspaceName } from "@/features/gate/shared/useWorkspaces";

import { Configuration } from "./Configuration";
import { type Client, limitsInWords, placesInWords, FLAGS } from "./words";

interface Props {
  client: Client | undefined;
  onClose: () => void;
}

/** All about one client, beside the list: what it may do, and how a program is told of it. */
export function ClientPanel({ client, onClose }: Props) {
  return (
    <Drawer
      opened={client !== undefined}
      onClose={onClose}
      title={client?.name}
      position="right"
      size="lg"
      closeButtonProps={{ "aria-label": "Close" }}
      attributes={{ header: { role: "presentation" } }}
      transitionProps={{ duration: 0 }}
      styles={{ title: { fontWeight: 600, fontSize: "var(--mantine-font-size-lg)" } }}
    >
      {client && (
        <Stack gap={0}>
          <Section title="What it may do">
            <ClientFacts client={client} />
          </Section>
          <Section title="How to connect it">
            <Configuration clientId={client.id} />
          </Section>
        </Stack>
      )}
    </Drawer>
  );
}

function ClientFacts({ client }: { client: Client }) {
  const { scope, limits, agentName, agentVersion, lastSeenAt, expiresAt } = client;
  const workspaceName = useWorkspaceName();
  const named = (may: boolean) =>
    FLAGS.filter(({ value }) => Boolean(scope[value]) === may).map(({ verb }) => verb);
  const bounds = limitsInWords(limits);
  return (
    <Facts>
      <Fact name="May">{named(true).join(", ") || "do nothing"}</Fact>
      <Fact name="May not">{named(false).join(", ") || "nothing is held back"}</Fact>
      <Fact name="Where">
        {workspaceName(client.workspaceId)}, {placesInWords(scope)}
      </Fact>
      {client.askWrites && <Fact name="Asks">before every change</Fact>}
      {client.strangers.length > 0 && (
        <Fact name="Has read">
          <Untrusted most={300}>{client.strangers.join(", ")}</Untrusted>, so each of its changes
          asks
        </Fact>
      )}
      {client.askTools.length > 0 && <Fact name="Always asks">{client.askTools.join(", ")}</Fact>}
      <Fact name="How much">{bounds.join(", ") || "no bound"}</Fact>
      <Fact name="Calls itself">
        {agentName ? (
          <Untrusted most={120}>{[agentName, agentVersion].filter(Boolean).join(" ")}</Untrusted>
        ) : (
          "nothing yet: it was never here"
        )}
      </Fact>
      <Fact name="Last here">{lastSeenAt ? <When at={lastSeenAt} /> : "never"}</Fact>
      <Fact name="Token">
        <code>{client.hint}…</code>
        {expiresAt && (
          <>
            , <When at={expiresAt} prefix="ends" />
          </>
        )}
      </Fact>
      <Fact name="Acts for">
        {client.ownerName}, <When at={client.createdAt} prefix="made" />
      </Fact>
    </Facts>
  );
}
