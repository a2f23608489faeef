import { PasswordInput, TextInput } from "@mantine/core";

import { api } from "@/api/client";
import { needed, useProblemForm } from "@/api/forms";
import { FormDialog } from "@/components/FormDialog";
import { notify } from "@/components/notify";
import { useRefresh } from "@/live/useRefresh";

import { KEYS, type KeyName } from "./keyWords";

interface Props {
  agentId: string;
  /** Which one is to be set; null: none. */
  name: KeyName | null;
  onClose: () => void;
}

/** Sets a key, which is never shown again. */
export function KeyDialog({ agentId, name, onClose }: Props) {
  const refresh = useRefresh();
  const label = KEYS.find((one) => one.name === name)?.label ?? "";
  const { form, problem, fail, restart } = useProblemForm(
    { initialValues: { value: "" }, validate: { value: needed("Something") } },
    name !== null,
  );
  // What was typed is nowhere on the page any more, not even out of sight.
  const close = () => {
    restart();
    onClose();
  };
  const set = api.useMutation("post", "/api/v1/agents/{agent_id}/credentials", {
    meta: { inForm: true },
    onError: fail,
    onSuccess: async () => {
      close();
      notify.done(`${label}: set.`);
      await refresh("agent");
    },
  });
  const save = ({ value }: { value: string }) => {
    if (!name) return;
    const params = { path: { agent_id: agentId } };
    set.mutate({ params, body: { keyName: name, value: value.trim() } });
  };
  const field = {
    label,
    "data-autofocus": true,
    autoComplete: "off",
    ...form.getInputProps("value"),
  };
  return (
    <FormDialog
      title={`Set: ${label}`}
      verb="Set it"
      opened={name !== null}
      onClose={close}
      pending={set.isPending}
      problem={problem}
      onSubmit={form.onSubmit(save)}
    >
      {name === "api_base" ? (
        <TextInput placeholder="https://models.example.com/v1" {...field} />
      ) : (
        <PasswordInput description="It is sealed, and never shown again" {...field} />
      )}
    </FormDialog>
  );
}
