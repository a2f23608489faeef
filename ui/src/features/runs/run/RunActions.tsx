import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconMessage } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";

import { api } from "@/api/client";
import { useConfirm } from "@/components/useConfirm";
import { useMe } from "@/features/identity/useMe";
import { useRefresh } from "@/live/useRefresh";

import { isLive } from "../list/words";
import { ReplayDialog } from "./ReplayDialog";
import type { Session } from "./timeline";

/** What one does with a run. Only whoever started it can make it do something. */
export function RunActions({ session }: { session: Session }) {
  const { id, status } = session;
  const me = useMe();
  const refresh = useRefresh();
  const { ask, dialog } = useConfirm();
  const [replaying, replay] = useDisclosure();
  const onSettled = () => refresh("run");
  const cancel = api.useMutation("post", "/api/v1/sessions/{session_id}/cancel", {
    meta: { inForm: true },
    onSettled,
  });
  const resume = api.useMutation("post", "/api/v1/runs/{run_id}/resume", { onSettled });
  const isOwn = session.userId === me.id;
  const askToCancel = () =>
    ask({
      title: "End this run?",
      body: "It stops at once, and the runs that it started with it. What it did stays, and can be undone in Activity. It cannot go on afterwards, but you can try again from one of its steps.",
      verb: "End the run",
      run: () => cancel.mutateAsync({ params: { path: { session_id: id } } }),
    });
  return (
    <>
      {isLive(session) && (
        <Button variant="default" onClick={askToCancel}>
          Cancel…
        </Button>
      )}
      {isOwn && (status === "failed" || status === "expired") && (
        <Button
          loading={resume.isPending}
          onClick={() => resume.mutate({ params: { path: { run_id: id } } })}
        >
          Go on
        </Button>
      )}
      {isOwn && session.title && !isLive(session) && (
        <Button variant="default" onClick={replay.open}>
          Replay…
        </Button>
      )}
      <Button
        variant="default"
        renderRoot={(props) => <Link to="/runs/$runId/compare" params={{ runId: id }} {...props} />}
      >
        Compare
      </Button>
      <Button
        variant="default"
        leftSection={<IconMessage size={16} />}
        renderRoot={(props) => (
          <Link to="/sessions/$sessionId" params={{ sessionId: id }} {...props} />
        )}
      >
        Talk
      </Button>
      <ReplayDialog session={session} opened={replaying} onClose={replay.close} />
      {dialog}
    </>
  );
}
