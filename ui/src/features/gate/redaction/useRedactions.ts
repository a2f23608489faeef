import { api } from "@/api/client";
import { notify } from "@/components/notify";
import { useRefresh } from "@/live/useRefresh";

import { type Redaction, recreated } from "./redactionForm";

const REDACTIONS = "/api/v1/redactions";

/** Switching and deleting patterns, each with a way back. */
export function useRedactions() {
  const refresh = useRefresh();
  const reread = { onSettled: () => refresh("redaction") };
  const change = api.useMutation("patch", "/api/v1/redactions/{redaction_id}", reread);
  const create = api.useMutation("post", REDACTIONS, reread);
  const remove = api.useMutation("delete", "/api/v1/redactions/{redaction_id}", reread);
  return {
    enable: ({ id, name }: Redaction, enabled: boolean) => {
      const set = (to: boolean) =>
        change.mutateAsync({ params: { path: { redaction_id: id } }, body: { enabled: to } });
      const said = enabled ? `“${name}” is taken out now.` : `“${name}” is no longer taken out.`;
      notify.undoable(set(enabled), said, () => set(!enabled));
    },
    remove: (redaction: Redaction) => {
      const gone = remove.mutateAsync({ params: { path: { redaction_id: redaction.id } } });
      notify.undoable(gone, `“${redaction.name}” is deleted.`, () =>
        create.mutateAsync({ body: recreated(redaction) }),
      );
    },
  };
}
