import { type InfiniteData, useQueryClient } from "@tanstack/react-query";

import { api, type Schemas } from "@/api/client";
import { notify } from "@/components/notify";
import { useRefresh } from "@/live/useRefresh";

import { type Line, type Mail, subjectOf } from "./words";

const MAIL = "/api/v1/mail/{mail_id}";
const LISTS = ["/api/v1/mail", "/api/v1/mail/search"] as const;

type Pages = InfiniteData<{ items: Line[] }>;
type Done = Schemas["ToolResultOut"];

export const oneMail = (id: string) =>
  api.queryOptions("get", MAIL, { params: { path: { mail_id: id } } });

/** Filing mail under one's own name, each with a way back. What is shown changes at once. */
export function useFiling(workspaceId: string) {
  const client = useQueryClient();
  const refresh = useRefresh();
  const reread = () => refresh("mail");
  const use = api.useMutation("post", "/api/v1/workspaces/{workspace_id}/tools/{tool}", {
    onSettled: reread,
  });
  const undo = api.useMutation("post", "/api/v1/actions/{action_id}/undo", { onSettled: reread });

  const eachList = (change: (items: Line[]) => Line[]) => {
    for (const list of LISTS) {
      client.setQueriesData<Pages>({ queryKey: ["get", list] }, (old) =>
        old?.pages
          ? { ...old, pages: old.pages.map((page) => ({ ...page, items: change(page.items) })) }
          : old,
      );
    }
  };
  const show = (id: string, change: Partial<Line>) => {
    eachList((items) => items.map((line) => (line.id === id ? { ...line, ...change } : line)));
    client.setQueryData<Mail>(oneMail(id).queryKey, (old) => old && { ...old, ...change });
  };
  /** Tools know a mail by another name than pages do. */
  const call = async (tool: string, id: string, args: Record<string, unknown>) => {
    const { virtualId } = await client.query({ ...oneMail(id), staleTime: "static" });
    return use.mutateAsync({
      params: { path: { workspace_id: workspaceId, tool } },
      body: { arguments: { email_id: virtualId, ...args } },
    });
  };
  const tell = ({ status, reason, actionId, undoable }: Done, said: string) => {
    if (status === "pending") return void notify.done(`It waits for an answer. ${reason ?? ""}`);
    if (!actionId || !undoable) return void notify.done(said);
    const back = () => undo.mutateAsync({ params: { path: { action_id: actionId } } });
    notify.undoable(Promise.resolve(), said, back);
  };
  const told = (doing: Promise<Done>, said: string) =>
    // Whoever sends it says what went wrong.
    void doing.then((done) => tell(done, said)).catch(() => {});

  return {
    archive: (line: Line) => {
      eachList((items) =>
        items.filter(({ id, roles }) => id !== line.id || !roles.includes("inbox")),
      );
      told(call("archive_email", line.id, {}), `“${subjectOf(line)}” is archived.`);
    },
    mark: (line: Line, change: { seen?: boolean; flagged?: boolean }) => {
      show(line.id, change);
      told(call("mark_email", line.id, change), markedInWords(change));
    },
    /** It was looked at: nothing to tell. */
    see: (line: Line) => {
      show(line.id, { seen: true });
      call("mark_email", line.id, { seen: true }).catch(() => {});
    },
    label: (line: Line, change: { add: string[]; remove: string[] }) =>
      told(call("label_email", line.id, change), "The labels are changed."),
  };
}

export type Filing = ReturnType<typeof useFiling>;

function markedInWords({ seen, flagged }: { seen?: boolean; flagged?: boolean }): string {
  if (seen !== undefined) return `Marked as ${seen ? "read" : "unread"}.`;
  return flagged ? "Flagged." : "The flag is off.";
}
