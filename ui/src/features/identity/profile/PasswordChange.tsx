import { Button, PasswordInput, Stack, Text } from "@mantine/core";

import { api } from "@/api/client";
import { needed, newPassword, useProblemForm } from "@/api/forms";
import { notify } from "@/components/notify";
import { ProblemAlert } from "@/components/ProblemAlert";
import { useRefresh } from "@/live/useRefresh";

import { NewPasswordInput } from "../door/NewPasswordInput";

interface Props {
  hasPassword: boolean;
  email: string;
}

export function PasswordChange({ hasPassword, email }: Props) {
  if (!hasPassword) {
    return (
      <Text size="sm">
        You log in through a provider and have no password here. An admin can make you a link to
        choose one.
      </Text>
    );
  }
  return <PasswordForm email={email} />;
}

function PasswordForm({ email }: { email: string }) {
  const refresh = useRefresh();
  const { form, problem, fail, restart } = useProblemForm({
    initialValues: { currentPassword: "", newPassword: "" },
    validate: { currentPassword: needed("Your current password"), newPassword },
  });
  const change = api.useMutation("put", "/api/v1/auth/password", {
    meta: { inForm: true },
    onSuccess: async () => {
      restart();
      notify.done("Your password is changed.");
      await refresh("user");
    },
    onError: (error) => fail(error),
  });
  return (
    <form noValidate onSubmit={form.onSubmit((body) => change.mutate({ body }))}>
      <Stack gap="sm" maw={420}>
        <ProblemAlert>{problem}</ProblemAlert>
        <input type="text" autoComplete="username" value={email} readOnly hidden />
        <PasswordInput
          label="Current password"
          autoComplete="current-password"
          {...form.getInputProps("currentPassword")}
        />
        <NewPasswordInput label="New password" {...form.getInputProps("newPassword")} />
        <Button
          type="submit"
          variant="default"
          style={{ alignSelf: "flex-start" }}
          loading={change.isPending}
        >
          Change password
        </Button>
      </Stack>
    </form>
  );
}
