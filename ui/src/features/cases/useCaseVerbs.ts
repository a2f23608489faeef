import { api } from "@/api/client";
import { notify } from "@/components/notify";
import { useRefresh } from "@/live/useRefresh";

import { type Sought } from "./useSought";
import { wantedOf } from "./useCases";
import { type Case, type Item, titleOf } from "./words";

const results = (count: number) =>
  count === 1 ? "1 result is" : `${count.toLocaleString("en")} results are`;

/** What a person does with cases and items; what takes something away can be taken back. */
export function useCaseVerbs() {
  const refresh = useRefresh();
  const onSettled = () => refresh("case", "item");
  const removing = api.useMutation("post", "/api/v1/cases/deletions", { onSettled });
  const restoring = api.useMutation("post", "/api/v1/cases/deletions/{deletion_id}/undo", {
    onSettled,
  });
  const again = api.useMutation("post", "/api/v1/cases/{case_id}/run-again", { onSettled });
  const stopping = api.useMutation("post", "/api/v1/cases/{case_id}/stop", { onSettled });
  const dropping = api.useMutation("delete", "/api/v1/cases/{case_id}/items/{item_id}", {
    onSettled,
  });
  const undoing = api.useMutation("post", "/api/v1/actions/{action_id}/undo", { onSettled });

  const remove = async (body: Parameters<typeof removing.mutateAsync>[0]["body"]) => {
    const { id, cases } = await removing.mutateAsync({ body });
    const back = () => restoring.mutateAsync({ params: { path: { deletion_id: id } } });
    notify.undoable(Promise.resolve(), `${results(cases)} deleted.`, back);
  };
  const removeItem = async (item: Item) => {
    const path = { case_id: item.caseId, item_id: item.id };
    const done = await dropping.mutateAsync({ params: { path } });
    if (done.status === "pending") {
      return void notify.done(`It waits for an answer. ${done.reason ?? ""}`);
    }
    const said = `“${titleOf(item)}” is removed.`;
    const { actionId } = done;
    if (!actionId || !done.undoable) return void notify.done(said);
    const back = () => undoing.mutateAsync({ params: { path: { action_id: actionId } } });
    notify.undoable(Promise.resolve(), said, back);
  };
  // Whoever sends it says what went wrong.
  const quietly = (doing: Promise<unknown>) => void doing.catch(() => {});
  return {
    remove: (cases: Case[]) => quietly(remove({ ids: cases.map(({ id }) => id) })),
    /** All that the list shows, also what is not read yet. */
    removeAll: ({ workspace, director, state, q }: Sought) =>
      quietly(
        remove({
          all: { ...wantedOf({ workspace, director, state, q }), deleted: false },
        }),
      ),
    removeItem: (item: Item) => quietly(removeItem(item)),
    runAgain: ({ id }: Case) => again.mutate({ params: { path: { case_id: id } } }),
    stop: ({ id }: Case) => stopping.mutate({ params: { path: { case_id: id } } }),
    isBusy: again.isPending || stopping.isPending,
  };
}

export type CaseVerbs = ReturnType<typeof useCaseVerbs>;
