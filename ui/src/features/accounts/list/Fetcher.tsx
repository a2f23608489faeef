import { Button, Group, Text } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";

import { api, type Schemas } from "@/api/client";
import { notify } from "@/components/notify";
import { StateMark } from "@/components/StateMark";
import { useMe } from "@/features/identity/useMe";
import { useRefresh } from "@/live/useRefresh";

import { counted } from "../words";

/** Whether mail is fetched by itself, and how to fetch it at once. */
export function Fetcher({ status }: { status: Schemas["FetcherOut"] | undefined }) {
  const { isAdmin } = useMe();
  const refresh = useRefresh();
  const onSuccess = () => refresh("account");
  const start = api.useMutation("post", "/api/v1/fetcher/start", { onSuccess });
  const stop = api.useMutation("post", "/api/v1/fetcher/stop", { onSuccess });
  const fetch = api.useMutation("post", "/api/v1/fetcher/fetch", {
    onSuccess: async ({ accountIds }) => {
      notify.done(`Fetching from ${counted(accountIds.length, "account")}.`);
      await onSuccess();
    },
  });
  if (!status) return null;
  const { running, intervalMinutes } = status;
  const switchOff = () =>
    notify.undoable(stop.mutateAsync({}), "Mail is fetched only when someone asks.", () =>
      start.mutateAsync({}),
    );
  return (
    <Group justify="space-between" gap="xs" mb="sm">
      {running ? (
        <Text size="sm" c="dimmed">
          New mail is fetched every {counted(intervalMinutes, "minute")}, or as the provider tells
          of it.
        </Text>
      ) : (
        <StateMark state="off">Mail is fetched only when someone asks.</StateMark>
      )}
      <Group gap="xs">
        <Button
          size="xs"
          variant="default"
          leftSection={<IconRefresh size={14} />}
          loading={fetch.isPending}
          onClick={() => fetch.mutate({})}
        >
          Fetch all now
        </Button>
        {isAdmin && (
          <Button
            size="xs"
            variant="default"
            onClick={running ? switchOff : () => start.mutate({})}
          >
            {running ? "Stop fetching" : "Fetch by itself"}
          </Button>
        )}
      </Group>
    </Group>
  );
}
