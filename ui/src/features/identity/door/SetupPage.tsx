import { Button, Stack, Text, TextInput } from "@mantine/core";

import { api } from "@/api/client";
import { anEmail, needed, newPassword, useProblemForm } from "@/api/forms";
import { ProblemAlert } from "@/components/ProblemAlert";

import { Door } from "./Door";
import { useFragment } from "./fragment";
import { LinkCheck } from "./LinkCheck";
import { NewPasswordInput } from "./NewPasswordInput";
import { useEnter } from "./useEnter";

const BAD_LINK = (
  <Text size="sm">
    If this office has no owner yet, restart Bailiwick and open the link that the terminal prints.
    If it has one, log in, or ask an admin for an invitation.
  </Text>
);

/** Makes the first owner, from the link in the terminal. */
export function SetupPage() {
  const link = useFragment();
  return (
    <LinkCheck link={link} purposes={["owner"]} advice={BAD_LINK}>
      {() => <OwnerForm link={link} />}
    </LinkCheck>
  );
}

function OwnerForm({ link }: { link: string }) {
  const { form, problem, fail } = useProblemForm({
    initialValues: { name: "", email: "", password: "" },
    validate: { name: needed("Your name"), email: anEmail, password: newPassword },
  });
  const enter = useEnter();
  const setup = api.useMutation("post", "/api/v1/auth/setup", {
    meta: { inForm: true },
    onSuccess: enter,
    onError: (error) => fail(error),
  });
  return (
    <Door
      title="Set up your office"
      description="You become its owner, and can invite others later."
    >
      <form
        noValidate
        onSubmit={form.onSubmit((body) => setup.mutate({ body: { ...body, link } }))}
      >
        <Stack gap="md">
          <ProblemAlert>{problem}</ProblemAlert>
          <TextInput
            label="Your name"
            autoComplete="name"
            autoFocus
            {...form.getInputProps("name")}
          />
          <TextInput
            label="E-mail address"
            description="You log in with it. No mail is sent."
            type="email"
            autoComplete="username"
            {...form.getInputProps("email")}
          />
          <NewPasswordInput {...form.getInputProps("password")} />
          <Button type="submit" fullWidth loading={setup.isPending}>
            Make my office
          </Button>
        </Stack>
      </form>
    </Door>
  );
}
