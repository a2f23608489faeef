import { Button } from "@mantine/core";
import { useState } from "react";

import { api, type Schemas } from "@/api/client";
import { detailOf } from "@/api/problem";
import { notify } from "@/components/notify";
import { ProblemAlert } from "@/components/ProblemAlert";
import { focusHeading } from "@/keyboard/focus";
import { useRefresh } from "@/live/useRefresh";

interface Undo {
  /** Takes it back; then the button is gone, and the focus must not be. */
  run: (onDone: () => void) => void;
  running: boolean;
  /** Why it could not be taken back, such as what changed since. */
  problem: string | null;
}

/** Takes back what was done; if something changed since, that is said where the button is. */
export function useUndo({ id, title }: Pick<Schemas["ActionOut"], "id" | "title">): Undo {
  const refresh = useRefresh();
  const [problem, setProblem] = useState<string | null>(null);
  const undo = api.useMutation("post", "/api/v1/actions/{action_id}/undo", {
    meta: { inForm: true },
    onSuccess: ({ undoApprovalId }) =>
      undoApprovalId
        ? notify.done(`“${title}” is taken back once someone allows it.`)
        : notify.done(`“${title}” is taken back.`),
    onError: (error) => setProblem(detailOf(error)),
    onSettled: () => refresh("action"),
  });
  const run = (onDone: () => void) => {
    setProblem(null);
    undo.mutateAsync({ params: { path: { action_id: id } } }).then(onDone, () => {});
  };
  return { run, running: undo.isPending, problem };
}

interface Props {
  undo: Undo;
  title: string;
  size?: string;
}

export function UndoButton({ undo, title, size = "xs" }: Props) {
  return (
    <Button
      variant="default"
      size={size}
      loading={undo.running}
      onClick={({ currentTarget }) => undo.run(focusAround(currentTarget))}
      aria-label={`Undo: ${title}`}
    >
      Undo
    </Button>
  );
}

/** Back to the row in which the button was, or to the page's heading. */
function focusAround(button: HTMLElement) {
  const row = button.closest<HTMLElement>("[data-row]");
  return () => (row ? row.focus({ preventScroll: true }) : focusHeading());
}

export function UndoProblem({ undo }: { undo: Undo }) {
  return <ProblemAlert>{undo.problem && `It was not taken back. ${undo.problem}`}</ProblemAlert>;
}
