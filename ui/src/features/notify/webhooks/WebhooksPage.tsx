import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";

import { api, type Schemas } from "@/api/client";
import { Listing } from "@/components/Listing";
import { Page } from "@/components/Page";
import { Row } from "@/components/Rows";
import { StateMark } from "@/components/StateMark";
import { Empty } from "@/components/states";
import { TextLink } from "@/components/TextLink";
import { When } from "@/components/When";
import { useDialog } from "@/routes/useDialog";

import { NewSecret } from "./NewSecret";
import { WebhookDialog } from "./WebhookDialog";
import { STATUSES, typesInWords } from "./words";

/** The addresses that are told what happens here. */
export function WebhooksPage() {
  const webhooks = api.useQuery("get", "/api/v1/webhooks");
  const navigate = useNavigate();
  const [making, { open, close }] = useDialog();
  const [made, setMade] = useState<Schemas["NewWebhookOut"] | null>(null);
  const add = (
    <Button leftSection={<IconPlus size={16} />} onClick={open}>
      New webhook
    </Button>
  );
  const empty = (
    <Empty title="There is no webhook yet" action={add}>
      Make one, and another program is told the moment something happens here.
    </Empty>
  );
  const openMade = () => {
    setMade(null);
    if (made)
      void navigate({ to: "/settings/webhooks/$webhookId", params: { webhookId: made.id } });
  };
  return (
    <Page
      title="Webhooks"
      description="Addresses of other programs that are told what happens in this office. They get ids, not content."
      actions={webhooks.data?.items.length ? add : null}
    >
      <Listing label="Webhooks" query={webhooks} empty={empty}>
        {(webhook) => <WebhookRow key={webhook.id} webhook={webhook} />}
      </Listing>
      <WebhookDialog opened={making} onClose={close} onMade={setMade} />
      <NewSecret name={made?.name ?? ""} secret={made?.secret ?? null} onClose={openMade} />
    </Page>
  );
}

function WebhookRow({ webhook }: { webhook: Schemas["WebhookOut"] }) {
  const { id, name, url, types, active, lastDelivery } = webhook;
  return (
    <Row
      title={
        <TextLink to="/settings/webhooks/$webhookId" params={{ webhookId: id }} fw={500}>
          {name}
        </TextLink>
      }
      marks={
        active ? (
          lastDelivery && (
            <StateMark state={STATUSES[lastDelivery.status].state}>
              {STATUSES[lastDelivery.status].words} <When at={lastDelivery.at} />
            </StateMark>
          )
        ) : (
          <StateMark state="off">switched off</StateMark>
        )
      }
      meta={[url, typesInWords(types), !lastDelivery && "nothing sent yet"]}
    />
  );
}
