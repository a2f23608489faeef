import { Button, PasswordInput, Stack, Text, TextInput } from "@mantine/core";

import { api } from "@/api/client";
import { anEmail, needed, useProblemForm } from "@/api/forms";
import { ProblemAlert } from "@/components/ProblemAlert";

import { useEnter } from "./useEnter";

/** Logs in with an address and a password. */
export function PasswordForm({ next }: { next: string }) {
  const { form, problem, fail } = useProblemForm({
    initialValues: { email: "", password: "" },
    validate: { email: anEmail, password: needed("Your password") },
  });
  const enter = useEnter(next);
  const logIn = api.useMutation("post", "/api/v1/auth/login", {
    meta: { inForm: true },
    onSuccess: enter,
    onError: (error) => fail(error),
  });
  return (
    <form noValidate onSubmit={form.onSubmit((body) => logIn.mutate({ body }))}>
      <Stack gap="md">
        <ProblemAlert>{problem}</ProblemAlert>
        <TextInput
          label="E-mail address"
          type="email"
          autoComplete="username"
          autoFocus
          {...form.getInputProps("email")}
        />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          {...form.getInputProps("password")}
        />
        <Button type="submit" fullWidth loading={logIn.isPending}>
          Log in
        </Button>
        <Text size="sm" c="dimmed">
          Forgotten it? An admin of this office can give you a link to choose a new one.
        </Text>
      </Stack>
    </form>
  );
}
