import type { Schemas } from "@/api/client";
import { needed } from "@/api/forms";

type Webhook = Schemas["WebhookOut"];

/** A webhook as the form holds it: empty text instead of nothing. */
export function formValues(webhook?: Webhook) {
  return {
    name: webhook?.name ?? "",
    url: webhook?.url ?? "",
    types: webhook?.types ?? ["*"],
    workspaceId: webhook?.workspaceId ?? "",
    format: webhook?.format ?? "bailiwick",
  };
}

export type WebhookValues = ReturnType<typeof formValues>;

export const checks = {
  name: needed("A name"),
  url: (url: string) =>
    /^https?:\/\/./.test(url.trim())
      ? null
      : "An address is needed, such as https://example.com/hook",
  types: (types: string[]) => (types.length > 0 ? null : "Choose at least one kind of event"),
};

/** What both making and changing send. */
export const asBody = (values: WebhookValues) => ({
  ...values,
  url: values.url.trim(),
  workspaceId: values.workspaceId || null,
});
