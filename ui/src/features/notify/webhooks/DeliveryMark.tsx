import type { Schemas } from "@/api/client";
import { StateMark } from "@/components/StateMark";

import { STATUSES } from "./words";

/** How a delivery stands, with the other side's last answer. */
export function DeliveryMark({ delivery }: { delivery: Schemas["DeliveryOut"] }) {
  const { state, words } = STATUSES[delivery.status];
  return (
    <StateMark state={state}>
      {words}
      {delivery.lastStatus !== null && ` (${delivery.lastStatus})`}
    </StateMark>
  );
}
