import { NativeSelect, TextInput } from "@mantine/core";

import { api, type Schemas } from "@/api/client";
import { useProblemForm } from "@/api/forms";
import { FormDialog } from "@/components/FormDialog";
import { useRefresh } from "@/live/useRefresh";

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
  const refresh = useRefresh();
  const workspaces = api.useQuery("get", "/api/v1/workspaces", {}, { enabled: opened });
  const { form, problem, fail } = useProblemForm<WebhookValues>(
    { initialValues: formValues(webhook), validate: checks },
    opened,
  );
  const saved = async () => {
    onClose();
    await refresh("webhook");
  };
  const options = { meta: { inForm: true }, onError: (error: unknown) => fail(error) };
  const create = api.useMutation("post", "/api/v1/webhooks", {
    ...options,
    onSuccess: async (made) => {
      await saved();
      onMade?.(made);
    },
  });
  const change = api.useMutation("patch", "/api/v1/webhooks/{webhook_id}", {
    ...options,
    onSuccess: saved,
  });
  const save = (values: WebhookValues) => {
    const body = asBody(values);
    if (webhook) change.mutate({ params: { path: { webhook_id: webhook.id } }, body });
    else create.mutate({ body });
  };
  const choices = (workspaces.data?.items ?? []).map(({ id, name }) => ({
    value: id,
    label: name,
  }));
  return (
    <FormDialog
      title={webhook ? `Edit “${webhook.name}”` : "New webhook"}
      verb={webhook ? "Save" : "Make the webhook"}
      size="lg"
      opened={opened}
      onClose={onClose}
      pending={create.isPending || change.isPending}
      problem={problem}
      onSubmit={form.onSubmit(save)}
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
