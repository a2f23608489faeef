import { Button, Group, Stack, Text } from "@mantine/core";

import { api } from "@/api/client";
import { detailOf } from "@/api/problem";
import { notify } from "@/components/notify";
import { ProblemAlert } from "@/components/ProblemAlert";
import { Loaded } from "@/components/states";
import { When } from "@/components/When";
import { useRefresh } from "@/live/useRefresh";

const LIST = "/api/v1/users/me/identities";

/** The log-in providers that one can come in through, and those that can be linked. */
export function Identities() {
  const linked = api.useQuery("get", LIST, {});
  const options = api.useQuery("get", "/api/v1/auth/options", {});
  const refresh = useRefresh();
  const link = api.useMutation("post", LIST, {
    meta: { inForm: true },
    onSuccess: ({ authorizeUrl }) => window.location.assign(authorizeUrl),
  });
  const unlink = api.useMutation("delete", `${LIST}/{identity_id}`, {
    meta: { inForm: true },
    onSuccess: async () => {
      notify.done("The provider is unlinked.");
      await refresh("user");
    },
  });
  const problem = link.error ?? unlink.error;
  return (
    <Loaded query={linked} loading="…">
      {({ items }) => {
        const known = new Set(items.map(({ providerId }) => providerId));
        const others = (options.data?.providers ?? []).filter(({ id }) => !known.has(id));
        return (
          <Stack gap="xs">
            <ProblemAlert>{problem && detailOf(problem)}</ProblemAlert>
            {items.map(({ id, providerName, createdAt }) => (
              <Group key={id} justify="space-between">
                <Text size="sm">
                  {providerName}, linked <When at={createdAt} />
                </Text>
                <Button
                  size="xs"
                  variant="default"
                  onClick={() => unlink.mutate({ params: { path: { identity_id: id } } })}
                >
                  Unlink {providerName}
                </Button>
              </Group>
            ))}
            {others.map(({ id, name }) => (
              <Group key={id}>
                <Button
                  size="xs"
                  variant="default"
                  loading={link.isPending}
                  onClick={() =>
                    link.mutate({ body: { providerId: id, returnTo: window.location.pathname } })
                  }
                >
                  Link {name}
                </Button>
              </Group>
            ))}
            {items.length + others.length === 0 && (
              <Text size="sm">There is no log-in provider here. An admin can add one.</Text>
            )}
          </Stack>
        );
      }}
    </Loaded>
  );
}
