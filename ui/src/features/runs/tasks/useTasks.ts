import { api, type Schemas } from "@/api/client";
import { notify } from "@/components/notify";
import { useRefresh } from "@/live/useRefresh";

import { nameOf, type Task } from "./words";

type Change = Schemas["TaskChangeOut"];

export const TASKS = "/api/v1/tasks";
export const TASK = "/api/v1/tasks/{task_id}";

/** Says what became of a change, and offers to take it back. */
export function useTell() {
  const refresh = useRefresh();
  const undo = api.useMutation("post", "/api/v1/actions/{action_id}/undo", {
    onSettled: () => refresh("task", "action"),
  });
  return ({ status, actionId, undoable, reason }: Change, said: string) => {
    if (status === "pending") return void notify.done(`It waits for an answer. ${reason ?? ""}`);
    if (!actionId || !undoable) return void notify.done(said);
    const back = () => undo.mutateAsync({ params: { path: { action_id: actionId } } });
    notify.undoable(Promise.resolve(), said, back);
  };
}

/** What one does with a task, each with a way back where there is one. */
export function useTasks() {
  const refresh = useRefresh();
  const tell = useTell();
  const reread = { onSettled: () => refresh("task", "run") };
  const change = api.useMutation("patch", TASK, reread);
  const remove = api.useMutation("delete", TASK, reread);
  const start = api.useMutation("post", "/api/v1/tasks/{task_id}/run", reread);
  const path = ({ id }: Task) => ({ params: { path: { task_id: id } } });
  const told = (doing: Promise<Change>, said: string) =>
    void doing.then((done) => tell(done, said)).catch(() => {});
  return {
    complete: (task: Task) =>
      told(
        change.mutateAsync({ ...path(task), body: { completed: true } }),
        `“${nameOf(task)}” is done.`,
      ),
    takeBack: (task: Task) =>
      told(
        change.mutateAsync({ ...path(task), body: { assignedTo: null } }),
        `“${nameOf(task)}” is nobody's now.`,
      ),
    remove: (task: Task) => told(remove.mutateAsync(path(task)), `“${nameOf(task)}” is deleted.`),
    run: (task: Task) => start.mutate(path(task)),
    isStarting: start.isPending,
    isCompleting: change.isPending && change.variables.body.completed === true,
  };
}
