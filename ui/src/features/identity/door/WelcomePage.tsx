import { Button, Stack, Text, TextInput } from "@mantine/core";

import { api, type Schemas } from "@/api/client";
import { newPassword, useProblemForm } from "@/api/forms";
import { ProblemAlert } from "@/components/ProblemAlert";
import { useOfficeName } from "@/components/useTitle";

import { Door } from "./Door";
import { useFragment } from "./fragment";
import { LinkCheck } from "./LinkCheck";
import { NewPasswordInput } from "./NewPasswordInput";
import { useEnter } from "./useEnter";

const BAD_LINK = <Text size="sm">Ask an admin of this office to make a new link for you.</Text>;

/** Accepts an invitation, or sets a new password, with a link from an admin. */
export function WelcomePage() {
  const link = useFragment();
  return (
    <LinkCheck link={link} purposes={["invitation", "password"]} advice={BAD_LINK}>
      {(found) => <PasswordForm link={link} found={found} />}
    </LinkCheck>
  );
}

function PasswordForm({ link, found }: { link: string; found: Schemas["LinkOut"] }) {
  const office = useOfficeName();
  const { form, problem, fail } = useProblemForm({
    initialValues: { password: "" },
    validate: { password: newPassword },
  });
  const enter = useEnter();
  const choose = api.useMutation("post", "/api/v1/auth/password", {
    meta: { inForm: true },
    onSuccess: enter,
    onError: (error) => fail(error),
  });
  const invited = found.purpose === "invitation";
  return (
    <Door
      title={invited ? `Welcome, ${found.name ?? "you"}` : "Choose a new password"}
      description={
        invited
          ? `You are invited to ${office}. Choose a password to come in.`
          : "You are logged out everywhere else once you have chosen it."
      }
    >
      <form
        noValidate
        onSubmit={form.onSubmit((body) => choose.mutate({ body: { ...body, link } }))}
      >
        <Stack gap="md">
          <ProblemAlert>{problem}</ProblemAlert>
          <TextInput
            label="E-mail address"
            value={found.email ?? ""}
            readOnly
            autoComplete="username"
            variant="filled"
          />
          <NewPasswordInput autoFocus {...form.getInputProps("password")} />
          <Button type="submit" fullWidth loading={choose.isPending}>
            {invited ? "Come in" : "Save and log in"}
          </Button>
        </Stack>
      </form>
    </Door>
  );
}
