import { Checkbox, NumberInput, Stack, TextInput } from "@mantine/core";

import { http, type Schemas } from "@/api/client";
import { needed } from "@/api/forms";
import { FormDialog } from "@/components/FormDialog";
import { useFormDialog } from "@/components/useFormDialog";

import { useMe } from "../useMe";

type Scope = Schemas["TokenOut"]["scopes"][number];

const SCOPES: { value: Scope; label: string; description: string }[] = [
  { value: "read", label: "Read", description: "See what you can see" },
  { value: "write", label: "Write", description: "Make and change things" },
  { value: "admin", label: "Admin", description: "Manage users, settings, backups and keys" },
];

interface Props {
  opened: boolean;
  onClose: () => void;
  onMade: (token: Schemas["NewTokenOut"]) => void;
}

interface Values extends Record<string, unknown> {
  name: string;
  scopes: Scope[];
  expiresInDays: number | string;
}

/** Makes a token. */
export function TokenDialog({ opened, onClose, onMade }: Props) {
  const me = useMe();
  const { form, dialog } = useFormDialog<Values, Schemas["NewTokenOut"]>({
    opened,
    onClose,
    initialValues: { name: "", scopes: ["read"], expiresInDays: 90 },
    validate: {
      name: needed("A name"),
      scopes: (scopes) => (scopes.length ? null : "Choose at least one"),
      expiresInDays: (days) => (Number(days) >= 1 ? null : "At least one day"),
    },
    affects: ["token"],
    send: (values) =>
      http.POST("/api/v1/tokens", {
        body: { ...values, expiresInDays: Number(values.expiresInDays) },
      }),
    onSaved: onMade,
  });
  return (
    <FormDialog title="New API token" verb="Make the token" {...dialog}>
      <TextInput
        label="Name"
        description="What it is for, so that you know it again"
        placeholder="Nightly report"
        data-autofocus
        {...form.getInputProps("name")}
      />
      <Checkbox.Group label="What it may do" {...form.getInputProps("scopes")}>
        <Stack gap="xs" mt={6}>
          {SCOPES.filter(({ value }) => value !== "admin" || me.isAdmin).map((scope) => (
            <Checkbox key={scope.value} {...scope} />
          ))}
        </Stack>
      </Checkbox.Group>
      <NumberInput
        label="Days until it expires"
        min={1}
        max={3650}
        allowDecimal={false}
        {...form.getInputProps("expiresInDays")}
      />
    </FormDialog>
  );
}
