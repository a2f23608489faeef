import { Button } from "@mantine/core";

import { api } from "@/api/client";
import { silent } from "@/api/queries";
import { Listing } from "@/components/Listing";
import { notify } from "@/components/notify";
import { Page } from "@/components/Page";
import { Row } from "@/components/Rows";
import { Tag } from "@/components/StateMark";
import { Empty } from "@/components/states";
import { useConfirm } from "@/components/useConfirm";
import { When } from "@/components/When";
import { useRefresh } from "@/live/useRefresh";

import { describeBrowser } from "../browser";

/** Where one is logged in. */
export function SessionsPage() {
  const sessions = api.useQuery("get", "/api/v1/auth/sessions", {}, silent);
  const refresh = useRefresh();
  const { ask, dialog } = useConfirm();
  const onSuccess = () => refresh("session");
  const end = api.useMutation("delete", "/api/v1/auth/sessions/{session_id}", { onSuccess });
  const endOthers = api.useMutation("delete", "/api/v1/auth/sessions", {
    meta: { inForm: true },
    onSuccess: async () => {
      await onSuccess();
      notify.done("You are logged out everywhere else.");
    },
  });
  const others = (sessions.data?.items.length ?? 0) > 1;

  return (
    <Page
      title="Sessions"
      description="The browsers in which you are logged in. End one that you do not know, and change your password."
      actions={
        others && (
          <Button
            variant="default"
            onClick={() =>
              ask({
                title: "End all other sessions?",
                body: "You stay logged in here. In every other browser you have to log in again.",
                verb: "End the others",
                run: () => endOthers.mutateAsync({}),
              })
            }
          >
            End all others
          </Button>
        )
      }
    >
      <Listing
        label="Sessions"
        query={sessions}
        empty={<Empty title="No browser is logged in">You use an API token just now.</Empty>}
      >
        {(session) => (
          <Row
            key={session.id}
            title={describeBrowser(session.userAgent)}
            marks={session.current && <Tag>this browser</Tag>}
            meta={[
              session.address,
              `by ${session.method}`,
              <When at={session.lastSeenAt} prefix="last used" />,
              <When at={session.expiresAt} prefix="ends" />,
            ]}
            actions={
              !session.current && (
                <Button
                  size="xs"
                  variant="default"
                  aria-label={`End the session of ${describeBrowser(session.userAgent)}`}
                  loading={end.isPending && end.variables.params.path.session_id === session.id}
                  onClick={() => end.mutate({ params: { path: { session_id: session.id } } })}
                >
                  End
                </Button>
              )
            }
          />
        )}
      </Listing>
      {dialog}
    </Page>
  );
}
