import { Button, Modal, Stack, Text } from "@mantine/core";

import { api } from "@/api/client";
import { Row, Rows } from "@/components/Rows";
import { Loaded } from "@/components/states";
import { useMe } from "@/features/identity/useMe";
import { useRefresh } from "@/live/useRefresh";

import type { Thread } from "../thread/useThread";

interface Props {
  thread: Thread;
  opened: boolean;
  onClose: () => void;
}

/** Who may read a conversation beside its owner. */
export function ShareDialog({ thread, opened, onClose }: Props) {
  return (
    <Modal opened={opened} onClose={onClose} title="Share this conversation">
      <Members thread={thread} />
    </Modal>
  );
}

function Members({ thread: { id, workspaceId, sharedWith } }: { thread: Thread }) {
  const me = useMe();
  const refresh = useRefresh();
  const onSuccess = () => refresh("thread");
  const members = api.useQuery("get", "/api/v1/workspaces/{workspace_id}/members", {
    params: { path: { workspace_id: workspaceId } },
  });
  const sharing = api.useMutation("post", "/api/v1/threads/{thread_id}/shares", { onSuccess });
  const ending = api.useMutation("delete", "/api/v1/threads/{thread_id}/shares/{user_id}", {
    onSuccess,
  });
  const change = (user: string) =>
    sharedWith.includes(user)
      ? ending.mutate({ params: { path: { thread_id: id, user_id: user } } })
      : sharing.mutate({ params: { path: { thread_id: id } }, body: { userId: user } });
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        Members of its workspace can read it and react. Nobody but you speaks in it.
      </Text>
      <Loaded query={members}>
        {({ items }) => {
          const others = items.filter(({ userId }) => userId !== me.id);
          if (others.length === 0)
            return <Text size="sm">There is nobody else in this workspace yet.</Text>;
          return (
            <Rows label="Members">
              {others.map(({ userId, name, email }) => (
                <Row
                  key={userId}
                  title={name}
                  meta={[email]}
                  actions={
                    <Button
                      size="xs"
                      variant="default"
                      aria-label={`${sharedWith.includes(userId) ? "Stop sharing with" : "Share with"} ${name}`}
                      onClick={() => change(userId)}
                    >
                      {sharedWith.includes(userId) ? "Stop sharing" : "Share"}
                    </Button>
                  }
                />
              ))}
            </Rows>
          );
        }}
      </Loaded>
    </Stack>
  );
}
