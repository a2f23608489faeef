import { api, type Schemas } from "@/api/client";
import { notify } from "@/components/notify";
import { useRefresh } from "@/live/useRefresh";

import { FILES, nameOf } from "../browser/browsed";

type Change = Schemas["FileChangeOut"];

/** A change that failed was told already. */
export const IGNORED = () => {};

/** What one does with files; each with a way back. */
export function useFileVerbs(workspace: string) {
  const refresh = useRefresh();
  const settled = { onSettled: () => refresh("files", "action") };
  // Who writes a text shows what went wrong beside it.
  const quiet = { ...settled, meta: { inForm: true } };
  const undo = api.useMutation("post", "/api/v1/actions/{action_id}/undo", settled);
  const remove = api.useMutation("delete", FILES, settled);
  const restore = api.useMutation("post", `${FILES}/restore`, settled);
  const change = api.useMutation("patch", `${FILES}/properties`, settled);
  const tag = api.useMutation("patch", `${FILES}/tags`, settled);
  const write = api.useMutation("put", `${FILES}/text`, quiet);
  const create = api.useMutation("post", FILES, quiet);
  const path = { workspace_id: workspace };
  const tell = (done: Change, said: string) => {
    const { status, actionId, undoable, reason } = done;
    if (status === "pending") notify.done(`It waits for an answer. ${reason ?? ""}`);
    else if (!actionId || !undoable) notify.done(said);
    else {
      const back = () => undo.mutateAsync({ params: { path: { action_id: actionId } } });
      notify.undoable(Promise.resolve(), said, back);
    }
    return done;
  };
  const header = (etag?: string) => (etag ? { "If-Match": etag } : {});
  return {
    isBusy: [remove, restore, change, tag, write, create].some(({ isPending }) => isPending),
    /** Tells of a change that was made elsewhere. */
    tell,
    remove: (file: string, etag?: string) =>
      remove
        .mutateAsync({ params: { path, query: { path: file }, header: header(etag) } })
        .then((done) => tell(done, `${nameOf(file)} is deleted.`)),
    restore: (file: string, version: string) =>
      restore
        .mutateAsync({ params: { path, query: { path: file } }, body: { version } })
        .then((done) => tell(done, `${nameOf(file)} is as it was then.`)),
    setProperties: (file: string, properties: Record<string, unknown>, etag?: string) =>
      change
        .mutateAsync({
          params: { path, query: { path: file }, header: header(etag) },
          body: { properties },
        })
        .then((done) => tell(done, "The properties are changed.")),
    tag: (file: string, tags: string[], takes = false) =>
      tag
        .mutateAsync({ params: { path, query: { path: file } }, body: { tags, remove: takes } })
        .then((done) => tell(done, takes ? "The tag is taken away." : "The tag is added.")),
    write: (file: string, content: string, etag: string) =>
      write
        .mutateAsync({
          params: { path, query: { path: file }, header: { "If-Match": etag } },
          body: { content },
        })
        .then((done) => tell(done, `${nameOf(file)} is saved.`)),
    create: (file: string, content: string) =>
      create
        .mutateAsync({ params: { path }, body: { path: file, content } })
        .then((done) => tell(done, `${nameOf(file)} is made.`)),
  };
}
