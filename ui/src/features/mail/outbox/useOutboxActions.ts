import { api } from "@/api/client";
import { notify } from "@/components/notify";
import { useRefresh } from "@/live/useRefresh";

import { type Outgoing, subjectOf } from "./words";

/** What a person does with mail on its way out. */
export function useOutboxActions(outgoing: Outgoing) {
  const refresh = useRefresh();
  const params = { path: { outgoing_id: outgoing.id } };
  // Also when it was too late: the list then shows how it stands.
  const onSettled = () => refresh("outbox");
  const subject = subjectOf(outgoing);
  const cancel = api.useMutation("post", "/api/v1/outbox/{outgoing_id}/cancel", {
    onSettled,
    onSuccess: () => void notify.done(`“${subject}” is taken back. Nobody got it.`),
  });
  const sendNow = api.useMutation("post", "/api/v1/outbox/{outgoing_id}/send-now", { onSettled });
  const resolve = api.useMutation("post", "/api/v1/outbox/{outgoing_id}/resolve", {
    onSettled,
    onSuccess: (_, { body }) =>
      void notify.done(body.sent ? `“${subject}” counts as sent.` : `“${subject}” is sent again.`),
  });
  return {
    isPending: cancel.isPending || sendNow.isPending || resolve.isPending,
    cancel: () => cancel.mutate({ params }),
    sendNow: () => sendNow.mutate({ params }),
    resolve: (sent: boolean) => resolve.mutate({ params, body: { sent } }),
  };
}
