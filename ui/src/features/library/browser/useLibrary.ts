import { useNavigate, useSearch } from "@tanstack/react-router";

import { api, http, type Schemas } from "@/api/client";
import { notify } from "@/components/notify";
import { useRefresh } from "@/live/useRefresh";

export type LibraryFile = Schemas["FileOut"];
export type FileText = Schemas["FileTextOut"];
export type FileVersion = Schemas["FileVersionOut"];
type Change = Schemas["FileChangeOut"];

/** What the page shows: it is all in the address, so that it can be kept, sent and gone back to. */
export interface Browsed {
  workspace?: string;
  folder?: string;
  file?: string;
  q?: string;
  look?: "grid";
}

export const FILES = "/api/v1/workspaces/{workspace_id}/files";

export function useBrowsed() {
  const browsed = useSearch({ from: "/shell/library" });
  const navigate = useNavigate();
  const go = (change: Browsed) =>
    void navigate({
      to: "/library",
      search: (before) => ({ ...before, ...change }),
      resetScroll: false,
    });
  return { browsed, go };
}

/** A change that failed was told already. */
export const IGNORED = () => {};

export const nameOf = (path: string) => path.slice(path.lastIndexOf("/") + 1);
export const folderOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf("/")));

/** What one does with files; each with a way back. */
export function useFileVerbs(workspace: string) {
  const refresh = useRefresh();
  const settled = { onSettled: () => refresh("files", "action") };
  const undo = api.useMutation("post", "/api/v1/actions/{action_id}/undo", settled);
  const remove = api.useMutation("delete", FILES, settled);
  const move = api.useMutation("post", `${FILES}/move`, settled);
  const restore = api.useMutation("post", `${FILES}/restore`, settled);
  const change = api.useMutation("patch", `${FILES}/properties`, settled);
  const path = { workspace_id: workspace };
  const tell = ({ status, actionId, undoable, reason }: Change, said: string) => {
    if (status === "pending") return void notify.done(`It waits for an answer. ${reason ?? ""}`);
    if (!actionId || !undoable) return void notify.done(said);
    const back = () => undo.mutateAsync({ params: { path: { action_id: actionId } } });
    notify.undoable(Promise.resolve(), said, back);
  };
  const header = (etag?: string) => (etag ? { "If-Match": etag } : {});
  return {
    isBusy: remove.isPending || move.isPending || restore.isPending || change.isPending,
    remove: (file: string, etag?: string) =>
      remove
        .mutateAsync({ params: { path, query: { path: file }, header: header(etag) } })
        .then((done) => tell(done, `${nameOf(file)} is deleted.`)),
    move: (file: string, to: string, etag?: string) =>
      move
        .mutateAsync({ params: { path, header: header(etag) }, body: { path: file, to } })
        .then((done) => {
          tell(done, `${nameOf(file)} is now ${to}.`);
          return done.path;
        }),
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
    upload: async (folder: string, files: File[]) => {
      for (const file of files) {
        const { data, error } = await http.PUT(`${FILES}/content`, {
          params: { path, query: { path: `${folder}/${file.name}` } },
          // The generated type knows binary bodies as strings.
          body: file as unknown as string,
          bodySerializer: (body) => body as unknown as BodyInit,
          headers: { "Content-Type": "application/octet-stream" },
        });
        if (data) tell(data, `${file.name} is in ${folder}.`);
        else notify.failed(error.detail);
      }
      await refresh("files", "action");
    },
  };
}
