import { Button } from "@mantine/core";
import { useParams } from "@tanstack/react-router";

import { api, type Schemas } from "@/api/client";
import { isGone } from "@/api/problem";
import { CodeBlock } from "@/components/CodeBlock";
import { Fact, Facts } from "@/components/Facts";
import { notify } from "@/components/notify";
import { Page } from "@/components/Page";
import { Section } from "@/components/Section";
import { Loaded } from "@/components/states";
import { TextLink } from "@/components/TextLink";
import { When } from "@/components/When";
import { useRefresh } from "@/live/useRefresh";

import { Attempts } from "./Attempts";
import { DeliveryMark } from "./DeliveryMark";

type Detail = Schemas["DeliveryDetailOut"];

/** One delivery: what is sent, and what became of each attempt. */
export function DeliveryPage() {
  const { webhookId, deliveryId } = useParams({
    from: "/shell/settings/webhooks/$webhookId/deliveries/$deliveryId",
  });
  const delivery = api.useQuery("get", "/api/v1/webhooks/{webhook_id}/deliveries/{delivery_id}", {
    params: { path: { webhook_id: webhookId, delivery_id: deliveryId } },
  });
  const { data, error } = delivery;
  const there = data && !isGone(error);
  return (
    <Page
      title={there ? data.eventType : "Delivery"}
      description={
        <TextLink to="/settings/webhooks/$webhookId" params={{ webhookId }} size="sm">
          All deliveries of this webhook
        </TextLink>
      }
      actions={there && <Redeliver delivery={data} />}
    >
      <Loaded query={delivery}>{(found) => <Parts delivery={found} />}</Loaded>
    </Page>
  );
}

function Parts({ delivery }: { delivery: Detail }) {
  const { createdAt, finishedAt, nextAttemptAt, eventId, payload } = delivery;
  return (
    <>
      <Section title="How it stands">
        <Facts>
          <Fact name="State">
            <DeliveryMark delivery={delivery} />
          </Fact>
          <Fact name="Began">
            <When at={createdAt} />
          </Fact>
          {finishedAt && (
            <Fact name="Ended">
              <When at={finishedAt} />
            </Fact>
          )}
          {nextAttemptAt && (
            <Fact name="Next attempt">
              <When at={nextAttemptAt} />
            </Fact>
          )}
          <Fact name="Event">
            <code>{eventId}</code>
          </Fact>
        </Facts>
      </Section>
      <Attempts log={delivery.log} />
      <Section title="What is sent">
        {payload ? (
          <CodeBlock label="The JSON that is sent">{JSON.stringify(payload, null, 2)}</CodeBlock>
        ) : (
          "It is shown to the webhook's owner only."
        )}
      </Section>
    </>
  );
}

function Redeliver({ delivery: { id, webhookId } }: { delivery: Detail }) {
  const refresh = useRefresh();
  const url = "/api/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver" as const;
  const again = api.useMutation("post", url, {
    onSuccess: async () => {
      notify.done("It is sent again.");
      await refresh("webhook");
    },
  });
  const params = { path: { webhook_id: webhookId, delivery_id: id } };
  return (
    <Button variant="default" loading={again.isPending} onClick={() => again.mutate({ params })}>
      Send again
    </Button>
  );
}
