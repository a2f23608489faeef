import { NativeSelect, PasswordInput, Switch, TagsInput, TextInput } from "@mantine/core";

import { http, type Schemas } from "@/api/client";
import { FormDialog } from "@/components/FormDialog";
import { notify } from "@/components/notify";
import { useFormDialog } from "@/components/useFormDialog";

import { AdvancedFields } from "./AdvancedFields";
import {
  changedProvider,
  checks,
  formValues,
  newProvider,
  type ProviderValues,
} from "./providerForm";

interface Props {
  opened: boolean;
  onClose: () => void;
  /** The provider to change; without one, a new one is added. */
  provider?: Schemas["ProviderOut"];
}

/** Adds or changes a log-in provider. */
export function ProviderDialog({ opened, onClose, provider }: Props) {
  const { form, dialog } = useFormDialog<ProviderValues, Schemas["ProviderOut"]>({
    opened,
    onClose,
    initialValues: formValues(provider),
    validate: checks,
    affects: ["provider"],
    send: (values) =>
      provider
        ? http.PATCH("/api/v1/login-providers/{provider_id}", {
            params: { path: { provider_id: provider.id } },
            body: changedProvider(values),
          })
        : http.POST("/api/v1/login-providers", { body: newProvider(values) }),
    onSaved: ({ name }) => notify.done(`Saved: ${name}.`),
  });
  const google = form.values.preset === "google";

  return (
    <FormDialog
      title={provider ? `Edit ${provider.name}` : "Add a log-in provider"}
      verb={provider ? "Save" : "Add the provider"}
      size="lg"
      {...dialog}
    >
      {!provider && (
        <NativeSelect
          label="Kind"
          data={[
            { value: "google", label: "Google" },
            { value: "custom", label: "Another issuer (OpenID Connect)" },
          ]}
          value={form.values.preset}
          onChange={(event) => {
            const preset = event.currentTarget.value as ProviderValues["preset"];
            form.setValues({ preset, name: preset === "google" ? "Google" : "" });
          }}
        />
      )}
      <TextInput
        label="Name"
        description="What the button on the log-in page says: “Continue with …”"
        {...form.getInputProps("name")}
      />
      {!google && (
        <TextInput
          label="Issuer"
          placeholder="https://login.example.com"
          {...form.getInputProps("issuer")}
        />
      )}
      <TextInput label="Client ID" autoComplete="off" {...form.getInputProps("clientId")} />
      <PasswordInput
        label="Client secret"
        description={
          provider?.hasClientSecret ? "Leave it empty to keep the one that is stored." : undefined
        }
        autoComplete="off"
        {...form.getInputProps("clientSecret")}
      />
      <TagsInput
        label="Domains that it vouches for"
        description="Such as example.com: people with these addresses come in, as the user who has the address. Empty: everyone whom the provider knows, but nobody as a user who is there already. An admin links the provider in their profile first."
        acceptValueOnBlur
        {...form.getInputProps("allowedDomains")}
      />
      <Switch
        label="Let people in who were not invited"
        description="Someone who logs in for the first time becomes a user."
        {...form.getInputProps("createUsers", { type: "checkbox" })}
      />
      <AdvancedFields
        form={form}
        opened={Boolean(provider?.adminClaim ?? provider?.bearerAudience)}
      />
    </FormDialog>
  );
}
