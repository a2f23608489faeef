import { NativeSelect, TextInput } from "@mantine/core";

import { api, http, type Schemas } from "@/api/client";
import { FormDialog } from "@/components/FormDialog";
import { useFormDialog } from "@/components/useFormDialog";

import { TypePicker } from "./TypePicker";
import { asBody, checks, formValues, type WebhookValues } from "./webhookForm";
import { FORMATS } from "./words";

interface Props {
  opened: boolean;
  onClose: () => void;
  /** The webhook to change; without one, a new one is made. */
  webhook?: Schemas["WebhookOut"];
  onMade?: (webhook: Schemas["NewWebhookOut"]) => void;
}

/** Makes or changes a webhook. */
export function WebhookDialog({ opened, onClose, webhook, onMade }: Props) {
  const workspaces = api.useQuery("get", "/api/v1/workspaces", {}, { enabled: opened });
  const { form, dialog } = useFormDialog<
    WebhookValues,
    Schemas["WebhookOut"] | Schemas["NewWebhookOut"]
  >({
    opened,
    onClose,
    initialValues: formValues(webhook),
    validate: checks,
    affects: ["webhook"],
    send: (values) => {
      const body = asBody(values);
      return webhook
        ? http.PATCH("/api/v1/webhooks/{webhook_id}", {
            params: { path: { webhook_id: webhook.id } },
            body,
          })
        : http.POST("/api/v1/webhooks", { body });
    },
    onSaved: (saved) => {
      if ("secret" in saved) onMade?.(saved);
    },
  });
  const choices = (workspaces.data?.items ?? []).map(({ id, name }) => ({
    value: id,
    label: name,
  }));
  return (
    <FormDialog
      title={webhook ? `Edit “${webhook.name}”` : "New webhook"}
      verb={webhook ? "Save" : "Make the webhook"}
      size="lg"
      {...dialog}
    >
      <TextInput
        label="Name"
        description="What it is for, so that you know it again"
        data-autofocus
        {...form.getInputProps("name")}
      />
      <TextInput
        label="Address"
        description="Each event is sent there by HTTP POST. Addresses in the local network have to be allowed on the server first."
        placeholder="https://example.com/hook"
        type="url"
        autoComplete="off"
        {...form.getInputProps("url")}
      />
      <TypePicker {...form.getInputProps("types")} />
      <NativeSelect
        label="Workspace"
        description="Of which workspace it is told"
        data={[{ value: "", label: "All, and the office itself" }, ...choices]}
        {...form.getInputProps("workspaceId")}
      />
      <NativeSelect label="Format" data={FORMATS} {...form.getInputProps("format")} />
    </FormDialog>
  );
}
