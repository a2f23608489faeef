import { useRef, useState } from "react";

import { api } from "@/api/client";
import { notify } from "@/components/notify";
import { useRefresh } from "@/live/useRefresh";

import { nameOf } from "../browser/browsed";
import type { Dropped } from "./dropped";
import { numbered } from "./names";
import { send } from "./send";

export interface Upload {
  id: number;
  file: File;
  /** Where it goes. */
  path: string;
  state: "waiting" | "sending" | "done" | "asks" | "failed";
  /** How much of it is there, up to 1. */
  part: number;
  problem?: string;
  isTaken?: boolean;
}

const MOST_NAMES = 100;
const TAKEN = "There is one of this name already. It was left as it is.";

/** Uploads, one after the other, each with how far it is. */
export function useUploads(workspace: string) {
  const [uploads, setUploads] = useState<Upload[]>([]);
  const next = useRef(0);
  const turn = useRef(Promise.resolve());
  const refresh = useRefresh();
  const undo = api.useMutation("post", "/api/v1/actions/{action_id}/undo", {
    onSettled: () => refresh("files", "action"),
  });
  const change = (id: number, values: Partial<Upload>) =>
    setUploads((all) => all.map((one) => (one.id === id ? { ...one, ...values } : one)));
  const back = async (actions: string[]) => {
    for (const id of actions) await undo.mutateAsync({ params: { path: { action_id: id } } });
  };
  const run = async (queued: Upload[], folder: string) => {
    const actions: string[] = [];
    for (const { id, path, file } of queued) {
      change(id, { state: "sending" });
      const { done, problem, isTaken } = await send(workspace, path, file, (part) =>
        change(id, { part }),
      );
      if (done?.status === "pending") change(id, { state: "asks", problem: done.reason ?? "" });
      else if (done) change(id, { state: "done", part: 1 });
      else change(id, { state: "failed", problem: isTaken ? TAKEN : problem, isTaken });
      if (done?.actionId && done.undoable) actions.push(done.actionId);
    }
    await refresh("files", "action");
    if (actions.length > 0) {
      const what = actions.length === 1 ? nameOf(queued[0]?.path ?? "") : `${actions.length} files`;
      const said = `${what} ${actions.length === 1 ? "is" : "are"} in ${folder}.`;
      notify.undoable(Promise.resolve(), said, () => back(actions));
    }
    // What went well need not be looked at any longer.
    setUploads((all) => all.filter(({ state }) => state !== "done"));
  };
  const enqueue = (folder: string, files: { file: File; path: string }[]) => {
    const queued = files.map(({ file, path }): Upload => ({
      id: next.current++,
      file,
      path,
      state: "waiting",
      part: 0,
    }));
    setUploads((all) => [...all, ...queued]);
    turn.current = turn.current.then(() => run(queued, folder));
  };
  return {
    uploads,
    put: (folder: string, files: Dropped[]) =>
      enqueue(
        folder,
        files.map(({ file, path }) => ({ file, path: `${folder}/${path}` })),
      ),
    keepBoth: (upload: Upload, folder: string, taken: Set<string>) => {
      let path = upload.path;
      for (let number = 2; number < MOST_NAMES; number++) {
        path = numbered(upload.path, number);
        if (!taken.has(path)) break;
      }
      setUploads((all) => all.filter(({ id }) => id !== upload.id));
      enqueue(folder, [{ file: upload.file, path }]);
    },
    clear: () =>
      setUploads((all) => all.filter(({ state }) => state === "waiting" || state === "sending")),
  };
}
