import { Button, Group, NativeSelect, Stack, TextInput } from "@mantine/core";

import { api } from "@/api/client";
import { anEmail, useProblemForm } from "@/api/forms";
import { notify } from "@/components/notify";
import { ProblemAlert } from "@/components/ProblemAlert";
import { useRefresh } from "@/live/useRefresh";

import { ROLES, type WorkspaceRole } from "./roles";

/** Adds a user of this office to a workspace. */
export function AddMember({ workspaceId }: { workspaceId: string }) {
  const refresh = useRefresh();
  const { form, problem, fail, restart } = useProblemForm({
    initialValues: { email: "", role: "read" as WorkspaceRole },
    validate: { email: anEmail },
  });
  const add = api.useMutation("post", "/api/v1/workspaces/{workspace_id}/members", {
    meta: { inForm: true },
    onSuccess: async (member) => {
      restart();
      await refresh("workspace");
      notify.done(`${member.name} is a member now.`);
    },
    onError: (error) => fail(error),
  });
  const submit = form.onSubmit((body) =>
    add.mutate({ params: { path: { workspace_id: workspaceId } }, body }),
  );
  return (
    <form noValidate onSubmit={submit}>
      <Stack gap="xs" mb="md">
        <ProblemAlert>{problem}</ProblemAlert>
        <Group gap="xs" align="flex-start">
          <TextInput
            flex="1 1 220px"
            type="email"
            aria-label="E-mail address of the person to add"
            placeholder="E-mail address"
            {...form.getInputProps("email")}
          />
          <NativeSelect aria-label="Their role" data={ROLES} {...form.getInputProps("role")} />
          <Button type="submit" loading={add.isPending}>
            Add
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
