import { useNavigate } from "@tanstack/react-router";

import { api } from "@/api/client";
import { notify } from "@/components/notify";
import { useRefresh } from "@/live/useRefresh";

import type { Thread } from "../thread/useThread";

const ONE = "/api/v1/threads/{thread_id}";

/** What can be done with a thread as a whole; what puts it out of sight can be taken back. */
export function useThreadDeeds({ id, title, pinned, status }: Thread) {
  const navigate = useNavigate();
  const refresh = useRefresh();
  const onSuccess = () => refresh("thread");
  const params = { path: { thread_id: id } };
  const changing = api.useMutation("patch", ONE, { onSuccess });
  const deleting = api.useMutation("delete", ONE, { onSuccess });
  const back = () => changing.mutateAsync({ params, body: { status } });
  const away = (doing: Promise<unknown>, said: string) => {
    notify.undoable(doing, said, back);
    return doing.then(
      () => navigate({ to: "/chat" }),
      () => {},
    );
  };
  return {
    pin: () => changing.mutate({ params, body: { pinned: !pinned } }),
    archive: () =>
      away(
        changing.mutateAsync({ params, body: { status: "archived" } }),
        `“${title.slice(0, 40)}” is archived.`,
      ),
    restore: () => changing.mutate({ params, body: { status: "active" } }),
    remove: () => away(deleting.mutateAsync({ params }), `“${title.slice(0, 40)}” is deleted.`),
    /** A file of the branch that is shown. */
    save: (format: "markdown" | "json") =>
      window.location.assign(`/api/v1/threads/${encodeURIComponent(id)}/export?format=${format}`),
  };
}
