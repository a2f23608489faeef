import type { Schemas } from "@/api/client";
import { Row } from "@/components/Rows";
import { TextLink } from "@/components/TextLink";
import { When } from "@/components/When";

import { CallerName } from "../shared/CallerName";
import { Gist } from "../shared/Gist";
import { UndoButton, UndoProblem, useUndo } from "../shared/Undo";
import { Untrusted } from "../shared/Untrusted";
import { useMayWrite, useWorkspaceName } from "../shared/useWorkspaces";
import { isUntrusted, LABELS } from "../shared/words";
import { ActionMark } from "./ActionMark";

/** Something that was changed, and the way back. */
export function ActionRow({ action }: { action: Schemas["ActionOut"] }) {
  const { id, title, caller, workspaceId, summary, error, label } = action;
  const workspaceName = useWorkspaceName();
  const mayWrite = useMayWrite();
  const undo = useUndo(action);
  const said = error ?? summary;
  return (
    <Row
      wraps
      title={
        <TextLink to="/activity/$actionId" params={{ actionId: id }} fw={500}>
          {action.undoes ? `Undo: ${title}` : title}
        </TextLink>
      }
      marks={
        <>
          <Gist values={action.arguments} />
          <ActionMark action={action} />
        </>
      }
      meta={[
        <CallerName key="caller" caller={caller} />,
        said && (
          <Untrusted key="said" most={160}>
            {said}
          </Untrusted>
        ),
        workspaceName(workspaceId),
        isUntrusted(label) && `after reading ${LABELS[label]}`,
        <When key="at" at={action.createdAt} />,
      ]}
      actions={action.undoable && mayWrite(workspaceId) && <UndoButton undo={undo} title={title} />}
    >
      <UndoProblem undo={undo} />
    </Row>
  );
}
