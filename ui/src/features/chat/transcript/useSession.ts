import { useQueryClient } from "@tanstack/react-query";

import { api } from "@/api/client";
import type { paths } from "@/api/schema";

import type { message } from "../composer/pasted";

const ONE = "/api/v1/sessions/{session_id}";

export type Session = paths[typeof ONE]["get"]["responses"][200]["content"]["application/json"];
export type Message = Session["messages"][number];
export type Call = Session["calls"][number];
export type Pending = Session["pendingActions"][number];
export type Run = Session["children"][number];

/** The reading of one session. */
export const sessionReading = (id: string) =>
  api.queryOptions("get", ONE, { params: { path: { session_id: id } } });

/** What a person can do in a session. Each answers with the session as it is then. */
export function useSessionVerbs(id: string) {
  const client = useQueryClient();
  // The run does not wait for this answer: what was read meanwhile may be newer.
  const onSuccess = (fresh: Session) =>
    client.setQueryData(sessionReading(id).queryKey, (known: Session | undefined) =>
      known && known.updatedAt > fresh.updatedAt ? known : fresh,
    );
  const path = { session_id: id };
  const saying = api.useMutation("post", "/api/v1/sessions/{session_id}/message", { onSuccess });
  const stopping = api.useMutation("post", "/api/v1/sessions/{session_id}/cancel", { onSuccess });
  const resuming = api.useMutation("post", "/api/v1/runs/{run_id}/resume", { onSuccess });
  return {
    /** Whether it was heard: if not, the words are still the person's to send. */
    say: (body: ReturnType<typeof message> & { files: string[] }) =>
      saying.mutateAsync({ params: { path }, body }).then(
        () => true,
        () => false,
      ),
    saying: saying.isPending,
    stop: () => stopping.mutate({ params: { path } }),
    stopping: stopping.isPending,
    goOn: () => resuming.mutate({ params: { path: { run_id: id } } }),
    goingOn: resuming.isPending,
  };
}
