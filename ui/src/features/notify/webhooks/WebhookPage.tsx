import { Code } from "@mantine/core";
import { useParams } from "@tanstack/react-router";

import { api, type Schemas } from "@/api/client";
import { isGone } from "@/api/problem";
import { Fact, Facts } from "@/components/Facts";
import { Page } from "@/components/Page";
import { Section } from "@/components/Section";
import { StateMark } from "@/components/StateMark";
import { Loaded } from "@/components/states";
import { TextLink } from "@/components/TextLink";
import { When } from "@/components/When";

import { Deliveries } from "./Deliveries";
import { WebhookActions } from "./WebhookActions";
import { FORMATS } from "./words";

/** One webhook: what it is told, and what was sent. */
export function WebhookPage() {
  const { webhookId } = useParams({ from: "/shell/settings/webhooks/$webhookId" });
  const params = { path: { webhook_id: webhookId } };
  const webhook = api.useQuery("get", "/api/v1/webhooks/{webhook_id}", { params });
  const back = (
    <TextLink to="/settings/webhooks" size="sm">
      All webhooks
    </TextLink>
  );
  const { data, error } = webhook;
  if (!data || isGone(error)) {
    return (
      <Page title="Webhook" description={back}>
        <Loaded query={webhook}>{() => null}</Loaded>
      </Page>
    );
  }
  return (
    <Page title={data.name} description={back} actions={<WebhookActions webhook={data} />}>
      <Section title="What it is told">
        <WebhookFacts webhook={data} />
      </Section>
      <Deliveries webhookId={data.id} />
    </Page>
  );
}

function WebhookFacts({ webhook }: { webhook: Schemas["WebhookOut"] }) {
  const { url, types, workspaceId, format, active, disabledReason } = webhook;
  const { data } = api.useQuery("get", "/api/v1/workspaces", {}, { enabled: workspaceId !== null });
  const workspace = data?.items.find(({ id }) => id === workspaceId)?.name ?? workspaceId;
  return (
    <Facts>
      <Fact name="State">
        {active ? (
          <StateMark state="ok">on</StateMark>
        ) : (
          <StateMark state="off">{disabledReason ?? "switched off"}</StateMark>
        )}
      </Fact>
      <Fact name="Address">{url}</Fact>
      <Fact name="Events">
        {types.includes("*")
          ? "Everything that its owner may see"
          : types.map((type) => (
              <Code key={type} mr={4}>
                {type}
              </Code>
            ))}
      </Fact>
      {workspace && <Fact name="Workspace">{workspace}</Fact>}
      <Fact name="Format">{FORMATS.find(({ value }) => value === format)?.label}</Fact>
      <Fact name="Owner">
        {webhook.ownerName}, <When at={webhook.createdAt} prefix="made" />
      </Fact>
    </Facts>
  );
}
