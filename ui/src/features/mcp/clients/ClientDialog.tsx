import { Checkbox, NativeSelect, NumberInput, Stack, Switch, TextInput } from "@mantine/core";

import { api, http, type Schemas } from "@/api/client";
import { FormDialog } from "@/components/FormDialog";
import { useFormDialog } from "@/components/useFormDialog";

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
  const workspaces = api.useQuery("get", "/api/v1/workspaces").data?.items ?? [];
  // Not before there is something to choose from: the form would start again under one's hands.
  const ready = opened && workspaces.length > 0;
  const { form, dialog } = useFormDialog<ClientValues, Client | Schemas["NewClientOut"]>({
    opened: ready,
    onClose,
    initialValues: formValues(client, workspaces[0]?.id ?? ""),
    validate: checks,
    affects: ["client"],
    send: (values) => {
      const body = asBody(values, client);
      const expiresInDays = values.expiresInDays === "" ? null : Number(values.expiresInDays);
      if (!client) {
        const { workspaceId } = values;
        return http.POST("/api/v1/clients", { body: { ...body, workspaceId, expiresInDays } });
      }
      // Left empty, the end stays what it was.
      const until = expiresInDays === null ? {} : { expiresInDays };
      return http.PATCH("/api/v1/clients/{client_id}", {
        params: { path: { client_id: client.id } },
        body: { ...body, ...until },
      });
    },
    onSaved: (saved) => {
      if ("token" in saved) onMade?.(saved);
    },
  });
  return (
    <FormDialog
      title={client ? `Edit “${client.name}”` : "New MCP client"}
      verb={client ? "Save" : "Make the client"}
      size="lg"
      {...dialog}
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
