import type { Schemas } from "@/api/client";
import type { State } from "@/components/StateMark";

type Status = Schemas["DeliveryOut"]["status"];

/** How a delivery stands, as a mark and a word. */
export const STATUSES: Record<Status, { state: State; words: string }> = {
  waiting: { state: "waiting", words: "waiting" },
  retrying: { state: "retrying", words: "trying again" },
  delivered: { state: "ok", words: "delivered" },
  failed: { state: "failed", words: "failed" },
  cancelled: { state: "off", words: "cancelled" },
};

export const FILTERS = [
  { value: "", label: "All deliveries" },
  { value: "waiting", label: "Waiting" },
  { value: "retrying", label: "Trying again" },
  { value: "delivered", label: "Delivered" },
  { value: "failed", label: "Failed" },
  { value: "cancelled", label: "Cancelled" },
];

export const FORMATS: { value: Schemas["WebhookOut"]["format"]; label: string }[] = [
  { value: "bailiwick", label: "Bailiwick's own JSON" },
  { value: "cloudevents", label: "CloudEvents 1.0" },
];

/** "Everything", "3 kinds of events", or the one type. */
export function typesInWords(types: string[]): string {
  if (types.includes("*")) return "everything";
  return types.length > 2 ? `${types.length} kinds of events` : types.join(", ");
}
