import { api, type Schemas } from "@/api/client";
import { notify } from "@/components/notify";
import { useRefresh } from "@/live/useRefresh";

import { type Memory, MOVES, nameOf, type Reach } from "./words";

type Change = Schemas["MemoryChangeOut"];

export const MEMORIES = "/api/v1/memory";
export const MEMORY = "/api/v1/memory/{memory_id}";

/** Says what became of a change, and offers to take it back. */
export function useTell() {
  const refresh = useRefresh();
  const undo = api.useMutation("post", "/api/v1/actions/{action_id}/undo", {
    onSettled: () => refresh("memory", "action"),
  });
  return ({ status, actionId, undoable, reason }: Change, said: string) => {
    if (status === "pending") return void notify.done(`It waits for an answer. ${reason ?? ""}`);
    if (!actionId || !undoable) return void notify.done(said);
    const back = () => undo.mutateAsync({ params: { path: { action_id: actionId } } });
    notify.undoable(Promise.resolve(), said, back);
  };
}

/** Moving and forgetting, each with a way back. */
export function useMemories() {
  const refresh = useRefresh();
  const tell = useTell();
  const reread = { onSettled: () => refresh("memory") };
  const change = api.useMutation("patch", MEMORY, reread);
  const remove = api.useMutation("delete", MEMORY, reread);
  return {
    move: ({ id }: Memory, reach: Reach) =>
      change
        .mutateAsync({ params: { path: { memory_id: id } }, body: { reach } })
        .then((done) => tell(done, MOVES[reach].done))
        .catch(() => {}),
    forget: (memory: Memory) =>
      remove
        .mutateAsync({ params: { path: { memory_id: memory.id } } })
        .then((done) => tell(done, `“${nameOf(memory)}” is forgotten.`))
        .catch(() => {}),
  };
}
