import { Divider, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";

import { loginOptions } from "@/api/queries";
import { ProblemAlert } from "@/components/ProblemAlert";
import { Failed, Loading } from "@/components/states";
import { ownPath } from "@/routes/guard";

import { Door } from "./Door";
import { useFragment } from "./fragment";
import { PasswordForm } from "./PasswordForm";
import { ProviderButtons } from "./ProviderButtons";

/** The way in: a password, a provider, or both. */
export function LoginPage() {
  const next = ownPath(useSearch({ from: "/login" }).next) ?? "/";
  const problem = new URLSearchParams(useFragment()).get("problem");
  const { data, error, refetch } = useQuery(loginOptions());
  return (
    <Door title="Log in">
      <ProblemAlert>{problem}</ProblemAlert>
      {!data && (error ? <Failed error={error} retry={refetch} /> : <Loading />)}
      {data?.needsOwner && (
        <Text>
          This office has no owner yet. The link that makes you its owner is in the terminal where
          Bailiwick was started.
        </Text>
      )}
      {data && !data.needsOwner && (
        <>
          {data.password && <PasswordForm next={next} />}
          {data.password && data.providers.length > 0 && <Divider label="or" />}
          <ProviderButtons providers={data.providers} next={next} />
          {!data.password && data.providers.length === 0 && (
            <Text>
              Passwords are switched off here and there is no log-in provider. Whoever runs this
              office can change that on the server with <code>bailiwick settings</code>.
            </Text>
          )}
        </>
      )}
    </Door>
  );
}
