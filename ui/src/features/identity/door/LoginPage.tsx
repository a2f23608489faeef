import { Divider, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";

import type { Schemas } from "@/api/client";
import { loginOptions } from "@/api/queries";
import { useSaid } from "@/api/said";
import { ProblemAlert } from "@/components/ProblemAlert";
import { Loaded, LoadingForm } from "@/components/states";
import { ownPath } from "@/routes/guard";

import { Door } from "./Door";
import { PasswordForm } from "./PasswordForm";
import { ProviderButtons } from "./ProviderButtons";

/** The way in: a password, a provider, or both. */
export function LoginPage() {
  const next = ownPath(useSearch({ from: "/login" }).next) ?? "/";
  const [problem] = useSaid();
  const options = useQuery(loginOptions());
  return (
    <Door title="Log in">
      <ProblemAlert>{problem}</ProblemAlert>
      <Loaded query={options} loading={<LoadingForm />}>
        {(found) => <WaysIn options={found} next={next} />}
      </Loaded>
    </Door>
  );
}

function WaysIn({ options, next }: { options: Schemas["LoginChoices"]; next: string }) {
  const { needsOwner, password, providers } = options;
  if (needsOwner) {
    return (
      <Text>
        This office has no owner yet. The link that makes you its owner is in the terminal where
        Bailiwick was started.
      </Text>
    );
  }
  if (!password && providers.length === 0) {
    return (
      <Text>
        Passwords are switched off here and there is no log-in provider. Whoever runs this office
        can change that on the server with <code>bailiwick settings</code>.
      </Text>
    );
  }
  return (
    <>
      {password && <PasswordForm next={next} />}
      {password && providers.length > 0 && <Divider label="or" />}
      <ProviderButtons providers={providers} next={next} />
    </>
  );
}
