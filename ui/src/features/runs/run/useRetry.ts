import { useNavigate } from "@tanstack/react-router";

import { api } from "@/api/client";
import { notify } from "@/components/notify";
import { useMe } from "@/features/identity/useMe";
import { useRefresh } from "@/live/useRefresh";

import { isLive } from "../list/words";
import type { Session } from "./timeline";

/** Begins a new run like this one, from a step on, and goes to it. */
export function useRetry(session: Session) {
  const me = useMe();
  const navigate = useNavigate();
  const refresh = useRefresh();
  const start = api.useMutation("post", "/api/v1/runs/{run_id}/retry", {
    onSuccess: async (made, { body: { step } }) => {
      await refresh("run");
      await navigate({ to: "/runs/$runId", params: { runId: made.id } });
      notify.done(`A new run begins at step ${step}.`);
    },
  });
  const retry = (step: number) =>
    start.mutate({ params: { path: { run_id: session.id } }, body: { step } });
  // It acts in the name of whoever started the first one. A replay or a trial never acted at all.
  const mayRetry =
    session.userId === me.id && !["replay", "trial"].includes(session.kind) && !isLive(session);
  return { retry, retrying: start.isPending, mayRetry };
}
