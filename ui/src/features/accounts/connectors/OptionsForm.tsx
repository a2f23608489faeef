import { Button, Group, Stack } from "@mantine/core";
import { type SubmitEvent, useState } from "react";

import { api } from "@/api/client";
import { notify } from "@/components/notify";
import { ProblemAlert } from "@/components/ProblemAlert";
import { useRefresh } from "@/live/useRefresh";

import type { Field, Schema, Values } from "../form/fields";
import { SchemaForm } from "../form/SchemaForm";
import { useSchemaForm } from "../form/useSchemaForm";
import { CONNECTOR, type ConnectorDetail } from "../words";

/** A connector's own form. A secret that is left empty stays as it is. */
export function OptionsForm({ connector }: { connector: ConnectorDetail }) {
  const refresh = useRefresh();
  const form = useSchemaForm(connector.optionsForm, connector.options ?? {});
  const [problem, setProblem] = useState<string | null>(null);
  const change = api.useMutation("patch", CONNECTOR, {
    meta: { inForm: true },
    onError: (error: unknown) => setProblem(form.fail(error, "options")),
    onSuccess: async (saved) => {
      form.restart(saved.options ?? {});
      await refresh("connector", "account");
      notify.done(`Saved: ${saved.title}.`);
    },
  });
  const save = (event: SubmitEvent) => {
    event.preventDefault();
    setProblem(null);
    if (!form.check()) return;
    const options = given(form.fields, form.values);
    change.mutate({ params: { path: { connector_id: connector.name } }, body: { options } });
  };
  return (
    <form onSubmit={save} noValidate>
      <Stack gap="md" maw={560}>
        <ProblemAlert>{problem}</ProblemAlert>
        <SchemaForm form={form} stored={connector.secretsSet} />
        <Group>
          <Button type="submit" loading={change.isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Null takes a plain option away; a secret that was not typed is left out, and so stays. */
function given(fields: Field[], values: Values): Schema {
  const typed = fields.filter(({ name, kind }) => kind !== "secret" || values[name] !== "");
  return Object.fromEntries(
    typed.map(({ name }) => [name, values[name] === "" ? null : values[name]]),
  );
}
