import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useSearch } from "@tanstack/react-router";
import { useState } from "react";

import { api, type Schemas } from "@/api/client";
import { silent } from "@/api/queries";
import { Listing } from "@/components/Listing";
import { Page } from "@/components/Page";
import { Row } from "@/components/Rows";
import { StateMark, Tag, Verdict } from "@/components/StateMark";
import { Empty } from "@/components/states";
import { TextLink } from "@/components/TextLink";
import { When } from "@/components/When";
import { Untrusted } from "@/features/gate/shared/Untrusted";
import { useWorkspaceName } from "@/features/gate/shared/useWorkspaces";
import { useMe } from "@/features/identity/useMe";
import { useDialog } from "@/routes/useDialog";

import { ClientActions } from "./ClientActions";
import { ClientDialog } from "./ClientDialog";
import { ClientPanel } from "./ClientPanel";
import { NewToken } from "./NewToken";
import { useWaiting } from "./useWaiting";
import { type Client, isExpired, scopeInWords } from "./words";

const DESCRIPTION =
  "Programs outside, such as Claude Code or Cursor, that may use this office in your name. Everything they do passes the gate.";

/** Programs outside that may act here. */
export function ClientsPage() {
  const clients = api.useQuery("get", "/api/v1/clients", {}, silent);
  const [making, { open, close }] = useDialog();
  const [made, setMade] = useState<Schemas["NewClientOut"] | null>(null);
  const { dialog } = useSearch({ strict: false });
  const waiting = useWaiting();
  const add = (
    <Button leftSection={<IconPlus size={16} />} onClick={open}>
      New client
    </Button>
  );
  const empty = (
    <Empty title="No program is connected yet" action={add}>
      Make a client, and paste its token into Claude Code, Claude Desktop, Cursor or another MCP
      program.
    </Empty>
  );
  return (
    <Page
      title="MCP clients"
      description={DESCRIPTION}
      actions={clients.data?.items.length ? add : null}
    >
      <Listing label="MCP clients" query={clients} empty={empty}>
        {(client) => (
          <ClientRow key={client.id} client={client} waiting={waiting.get(client.id) ?? 0} />
        )}
      </Listing>
      <ClientDialog opened={making} onClose={close} onMade={setMade} />
      <NewToken client={made} onClose={() => setMade(null)} />
      <ClientPanel client={clients.data?.items.find(({ id }) => id === dialog)} onClose={close} />
    </Page>
  );
}

function ClientRow({ client, waiting }: { client: Client; waiting: number }) {
  const { id, name, enabled, agentName, agentVersion, lastSeenAt, ownerName, userId } = client;
  const me = useMe();
  const workspaceName = useWorkspaceName();
  return (
    <Row
      title={
        <TextLink to="." search={{ dialog: id }} resetScroll={false} fw={500}>
          {name}
        </TextLink>
      }
      marks={
        <>
          {!enabled && <StateMark state="off">switched off</StateMark>}
          {enabled && isExpired(client) && <StateMark state="off">ended</StateMark>}
          {waiting > 0 && <Verdict verdict="asks">{waiting} waiting for you</Verdict>}
          {client.askWrites && <Tag>asks before every change</Tag>}
          {client.strangers.length > 0 && <Tag>has read strangers' words</Tag>}
        </>
      }
      meta={[
        workspaceName(client.workspaceId),
        scopeInWords(client.scope),
        agentName && (
          <>
            calls itself{" "}
            <Untrusted most={60}>{[agentName, agentVersion].filter(Boolean).join(" ")}</Untrusted>
          </>
        ),
        lastSeenAt ? <When at={lastSeenAt} prefix="last here" /> : "never here yet",
        userId !== me.id && `acts for ${ownerName}`,
      ]}
      actions={<ClientActions client={client} />}
    />
  );
}
