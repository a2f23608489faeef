import { NativeSelect } from "@mantine/core";
import { useState } from "react";

import { api, type Schemas } from "@/api/client";
import { byPage } from "@/api/queries";
import { PagedListing } from "@/components/Listing";
import { Row } from "@/components/Rows";
import { Section } from "@/components/Section";
import { Empty } from "@/components/states";
import { TextLink } from "@/components/TextLink";
import { When } from "@/components/When";

import { DeliveryMark } from "./DeliveryMark";
import { FILTERS } from "./words";

type Delivery = Schemas["DeliveryOut"];

/** What was sent to a webhook, newest first. */
export function Deliveries({ webhookId }: { webhookId: string }) {
  const [status, setStatus] = useState<Delivery["status"] | "">("");
  const deliveries = api.useInfiniteQuery(
    "get",
    "/api/v1/webhooks/{webhook_id}/deliveries",
    { params: { path: { webhook_id: webhookId }, query: status ? { status } : {} } },
    byPage,
  );
  const empty = (
    <Empty title={status ? "There is no such delivery" : "Nothing was sent yet"}>
      {status
        ? "Choose “All deliveries” to see the others."
        : "Choose “Send a test” to see whether the other side answers."}
    </Empty>
  );
  return (
    <Section
      title="Deliveries"
      actions={
        <NativeSelect
          size="xs"
          aria-label="Which deliveries to show"
          data-filter
          data={FILTERS}
          value={status}
          onChange={(event) => setStatus(event.currentTarget.value as Delivery["status"] | "")}
        />
      }
    >
      <PagedListing label="Deliveries" query={deliveries} empty={empty}>
        {(delivery) => <DeliveryRow key={delivery.id} delivery={delivery} />}
      </PagedListing>
    </Section>
  );
}

function DeliveryRow({ delivery }: { delivery: Delivery }) {
  const { id, webhookId, eventType, attempts, createdAt, nextAttemptAt, lastError } = delivery;
  return (
    <Row
      title={
        <TextLink
          to="/settings/webhooks/$webhookId/deliveries/$deliveryId"
          params={{ webhookId, deliveryId: id }}
          fw={500}
        >
          {eventType}
        </TextLink>
      }
      meta={[
        <When key="at" at={createdAt} />,
        attempts > 1 && `${attempts} attempts`,
        lastError,
        nextAttemptAt && <When key="next" at={nextAttemptAt} prefix="next attempt" />,
      ]}
      actions={<DeliveryMark delivery={delivery} />}
    />
  );
}
