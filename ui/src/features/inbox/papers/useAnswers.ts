import { useState } from "react";

import { api } from "@/api/client";
import { notify } from "@/components/notify";
import { useRefresh } from "@/live/useRefresh";

import { folderName, type Paper, papersInWords, type Suggested } from "./words";

const SUGGESTION = "/api/v1/inbox/suggestions/{suggestion_id}";

/** What a person says to suggestions; all of it can be taken back. */
export function useAnswers() {
  const refresh = useRefresh();
  // A paper that is answered leaves at once; whatever comes of it, the list is read again.
  const [leaving, setLeaving] = useState<ReadonlySet<string>>(new Set());
  const onSettled = () => refresh("suggestion");
  const answering = api.useMutation("post", `${SUGGESTION}/resolve`, { onSettled });
  const reopening = api.useMutation("post", `${SUGGESTION}/undo`, { onSettled });
  const answeringMany = api.useMutation("post", "/api/v1/inbox/suggestions/resolve", {
    onSettled,
  });
  const reopeningMany = api.useMutation("post", "/api/v1/inbox/batches/{batch_id}/undo", {
    onSettled,
  });

  /** Shows papers as answered for as long as the answer is on its way. */
  const leave = async (papers: Suggested[], doing: () => Promise<unknown>) => {
    const ids = papers.map(({ id }) => id);
    setLeaving((old) => new Set([...old, ...ids]));
    try {
      await doing();
    } catch {
      // Whoever sends it says what went wrong.
    } finally {
      setLeaving((old) => new Set([...old].filter((id) => !ids.includes(id))));
    }
  };
  const undoable = (said: string, back: () => Promise<unknown>) =>
    notify.undoable(Promise.resolve(), said, back);

  const answer = ({ name, suggestion: { id } }: Suggested, action: "accept" | "reject") => {
    const params = { path: { suggestion_id: id } };
    return answering.mutateAsync({ params, body: { action } }).then((done) => {
      if (done.approval_id) return void notify.done(`Moving “${name}” waits for an answer.`);
      undoable(done.new_path ? movedTo(name, done.new_path) : `“${name}” stays in the inbox.`, () =>
        reopening.mutateAsync({ params }),
      );
    });
  };
  const answerMany = async (papers: Suggested[], action: "accept" | "reject") => {
    const ids = papers.map(({ suggestion }) => suggestion.id);
    const { batch_id, results } = await answeringMany.mutateAsync({ body: { ids, action } });
    const refused = results.filter(({ success }) => !success);
    const [first] = refused;
    if (first) notify.failed(refusedInWords(refused.length, first.problem));
    const done = results.length - refused.length;
    if (done === 0) return;
    const verb = action === "accept" ? "moved" : "kept in the inbox";
    undoable(`${papersInWords(done)} ${done === 1 ? "is" : "are"} ${verb}.`, async () => {
      const params = { path: { batch_id } };
      const { problems } = await reopeningMany.mutateAsync({ params });
      if (problems[0]) notify.failed(`${papersInWords(problems.length)}: ${problems[0]}`);
    });
  };
  const undoing = api.useMutation("post", "/api/v1/actions/{action_id}/undo", {
    onSettled: () => refresh("suggestion", "action"),
  });
  return {
    leaving,
    /** Offers to take back an answer that was given in a form. */
    undoableMove: (paper: Suggested, path: string) =>
      undoable(movedTo(paper.name, path), () =>
        reopening.mutateAsync({ params: { path: { suggestion_id: paper.suggestion.id } } }),
      ),
    /** The same for a paper that was moved without a suggestion. */
    undoableAction: ({ name }: Paper, path: string, actionId: string) =>
      undoable(movedTo(name, path), () =>
        undoing.mutateAsync({ params: { path: { action_id: actionId } } }),
      ),
    resolve: (papers: Suggested[], action: "accept" | "reject") => {
      const [only, ...others] = papers;
      if (!only) return;
      void leave(papers, () =>
        others.length === 0 ? answer(only, action) : answerMany(papers, action),
      );
    },
  };
}

export type Answers = ReturnType<typeof useAnswers>;

const movedTo = (name: string, path: string) =>
  `“${name}” is in ${folderName(path.split("/").slice(0, -1).join("/"))}.`;

const refusedInWords = (count: number, problem: string | null | undefined) =>
  `${papersInWords(count)} could not be answered. ${problem ?? ""}`;
