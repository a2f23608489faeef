import { Button, Group, Stack, TextInput } from "@mantine/core";

import { useEffect, useEffectEvent } from "react";

import { api } from "@/api/client";
import { needed, useProblemForm } from "@/api/forms";
import { notify } from "@/components/notify";
import { ProblemAlert } from "@/components/ProblemAlert";
import { useRefresh } from "@/live/useRefresh";

import { useMe } from "../useMe";

export function NameForm() {
  const me = useMe();
  const refresh = useRefresh();
  const { form, problem, fail } = useProblemForm({
    initialValues: { name: me.name },
    validate: { name: needed("A name") },
  });
  // Changed elsewhere while nothing was typed here.
  const follow = useEffectEvent((name: string) => {
    if (!form.isDirty()) form.setValues({ name });
    form.resetDirty({ name });
  });
  useEffect(() => follow(me.name), [me.name]);
  const save = api.useMutation("patch", "/api/v1/users/me", {
    meta: { inForm: true },
    onSuccess: async () => {
      await refresh("user");
      notify.done("Your name is saved.");
    },
    onError: (error) => fail(error),
  });
  return (
    <form noValidate onSubmit={form.onSubmit((body) => save.mutate({ body }))}>
      <Stack gap="sm" maw={420}>
        <ProblemAlert>{problem}</ProblemAlert>
        <Group align="flex-start" gap="xs" wrap="nowrap">
          <TextInput
            flex={1}
            aria-label="Your name"
            autoComplete="name"
            {...form.getInputProps("name")}
          />
          <Button
            type="submit"
            variant="default"
            disabled={!form.isDirty()}
            loading={save.isPending}
          >
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
