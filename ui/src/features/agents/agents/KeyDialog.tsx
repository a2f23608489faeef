import { PasswordInput, TextInput } from "@mantine/core";

import { http } from "@/api/client";
import { needed } from "@/api/forms";
import { FormDialog } from "@/components/FormDialog";
import { notify } from "@/components/notify";
import { useFormDialog } from "@/components/useFormDialog";

import { KEYS, type KeyName } from "./keyWords";

interface Props {
  agentId: string;
  /** Which one is to be set; null: none. */
  name: KeyName | null;
  onClose: () => void;
}

/** Sets a key, which is never shown again. */
export function KeyDialog({ agentId, name, onClose }: Props) {
  const label = KEYS.find((one) => one.name === name)?.label ?? "";
  const { form, dialog, restart } = useFormDialog<{ value: string }, unknown>({
    opened: name !== null,
    onClose: () => {
      // What was typed is nowhere on the page any more, not even out of sight.
      restart();
      onClose();
    },
    initialValues: { value: "" },
    validate: { value: needed("Something") },
    affects: ["agent"],
    send: async ({ value }) => {
      if (!name) return {};
      return http.POST("/api/v1/agents/{agent_id}/credentials", {
        params: { path: { agent_id: agentId } },
        body: { keyName: name, value: value.trim() },
      });
    },
    onSaved: () => notify.done(`${label}: set.`),
  });
  const field = {
    label,
    "data-autofocus": true,
    autoComplete: "off",
    ...form.getInputProps("value"),
  };
  return (
    <FormDialog title={`Set: ${label}`} verb="Set it" {...dialog}>
      {name === "api_base" ? (
        <TextInput placeholder="https://models.example.com/v1" {...field} />
      ) : (
        <PasswordInput description="It is sealed, and never shown again" {...field} />
      )}
    </FormDialog>
  );
}
