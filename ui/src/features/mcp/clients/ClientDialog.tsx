import { Checkbox, NativeSelect, NumberInput, Stack, Switch, TextInput } from "@mantine/core";

import { api, type Schemas } from "@/api/client";
import { useProblemForm } from "@/api/forms";
import { FormDialog } from "@/components/FormDialog";
import { useRefresh } from "@/live/useRefresh";

import { asBody, checks, type ClientValues, formValues } from "./clientForm";
import { LimitFields } from "./LimitFields";
import { PlaceFields } from "./PlaceFields";
import { type Client, FLAGS } from "./words";

interface Props {
  opened: boolean;
  onClose: () => void;
  /** The client to change; without one, a new one is made. */
  client?: Client;
  onMade?: (client: Schemas["NewClientOut"]) => void;
}

/** Makes or changes a client. */
export function ClientDialog({ opened, onClose, client, onMade }: Props) {
  const refresh = useRefresh();
  const workspaces = api.useQuery("get", "/api/v1/workspaces").data?.items ?? [];
  // Not before there is something to choose from: the form would start again under one's hands.
  const ready = opened && workspaces.length > 0;
  const { form, problem, fail } = useProblemForm<ClientValues>(
    { initialValues: formValues(client, workspaces[0]?.id ?? ""), validate: checks },
    ready,
  );
  const saved = async () => {
    onClose();
    await refresh("client");
  };
  const options = { meta: { inForm: true }, onError: (error: unknown) => fail(error) };
  const create = api.useMutation("post", "/api/v1/clients", {
    ...options,
    onSuccess: async (made) => {
      await saved();
      onMade?.(made);
    },
  });
  const change = api.useMutation("patch", "/api/v1/clients/{client_id}", {
    ...options,
    onSuccess: saved,
  });
  const save = (values: ClientValues) => {
    const body = asBody(values, client);
    const expiresInDays = values.expiresInDays === "" ? null : Number(values.expiresInDays);
    if (!client) {
      create.mutate({ body: { ...body, workspaceId: values.workspaceId, expiresInDays } });
    } else {
      // Left empty, the end stays what it was.
      const until = expiresInDays === null ? {} : { expiresInDays };
      change.mutate({ params: { path: { client_id: client.id } }, body: { ...body, ...until } });
    }
  };
  return (
    <FormDialog
      title={client ? `Edit “${client.name}”` : "New MCP client"}
      verb={client ? "Save" : "Make the client"}
      size="lg"
      opened={ready}
      onClose={onClose}
      pending={create.isPending || change.isPending}
      problem={problem}
      onSubmit={form.onSubmit(save)}
    >
      <TextInput
        label="Name"
        description="The program and where it runs, so that you know it again"
        placeholder="Claude Code on my laptop"
        data-autofocus
        {...form.getInputProps("name")}
      />
      {!client && (
        <NativeSelect
          label="Workspace"
          description="It sees and does things in this one only, in your name"
          data={workspaces.map(({ id, name }) => ({ value: id, label: name }))}
          {...form.getInputProps("workspaceId")}
        />
      )}
      <Checkbox.Group
        label="What it may do at all"
        description="Whatever is not ticked, no rule and no approval can allow"
        {...form.getInputProps("flags")}
      >
        <Stack gap="xs" mt={6}>
          {FLAGS.map(({ value, label, description }) => (
            <Checkbox key={value} value={value} label={label} description={description} />
          ))}
        </Stack>
      </Checkbox.Group>
      <Switch
        label="Ask before every change"
        description="A person is asked each time, even where the rules allow it"
        {...form.getInputProps("askWrites", { type: "checkbox" })}
      />
      <PlaceFields form={form} />
      <LimitFields form={form} />
      <NumberInput
        label="Days until it ends"
        description={endInWords(client)}
        min={1}
        max={3650}
        allowDecimal={false}
        {...form.getInputProps("expiresInDays")}
      />
    </FormDialog>
  );
}

function endInWords(client?: Client): string {
  if (!client) return "Left empty, it works until you delete it";
  if (!client.expiresAt) return "It has no end now. Left empty, that stays so";
  return `It ends on ${new Date(client.expiresAt).toLocaleDateString("en")}. Left empty, that stays so`;
}
