import { Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";

import { api, type Schemas } from "@/api/client";
import rows from "@/components/Rows.module.css";
import { Tag } from "@/components/StateMark";
import { TextLink } from "@/components/TextLink";
import { When } from "@/components/When";

import { CallerName } from "../shared/CallerName";
import { Gist } from "../shared/Gist";
import { UndoButton, UndoProblem, useUndo } from "../shared/Undo";
import { Untrusted } from "../shared/Untrusted";
import { useMayWrite } from "../shared/useWorkspaces";
import { ApprovalMark } from "./ApprovalMark";
import styles from "./Card.module.css";
import { usePerson } from "./people";

type Approval = Schemas["ApprovalOut"];

/** A call that no longer waits: who answered, and what came of it, as it comes. */
export function Outcome({ approval, heading }: { approval: Approval; heading: ReactNode }) {
  const { status, caller, workspaceId, answeredBy, answeredAt, note, error, actionId } = approval;
  const person = usePerson(workspaceId, answeredBy);
  return (
    <Stack gap={4}>
      <div className={styles.head}>
        <Text component="div" fw={500}>
          {heading} <Gist values={approval.edited ?? approval.arguments} />
        </Text>
        <div className={styles.line} role="status">
          <ApprovalMark status={status} />
        </div>
      </div>
      <div className={rows.meta}>
        <CallerName caller={caller} />
        {answeredAt && <span>answered by {person}</span>}
        <span>
          <When at={answeredAt ?? approval.finishedAt ?? approval.createdAt} />
        </span>
        {approval.edited && <span>edited before it was allowed</span>}
      </div>
      {(note || error) && (
        <Text size="sm" component="div">
          {note && "It was told: "}
          <Untrusted>{note ?? error ?? ""}</Untrusted>
        </Text>
      )}
      {actionId && <WayBack actionId={actionId} />}
    </Stack>
  );
}

/** Undo, or what became of it. */
function WayBack({ actionId }: { actionId: string }) {
  const params = { path: { action_id: actionId } };
  const { data } = api.useQuery("get", "/api/v1/actions/{action_id}", { params });
  return data ? <ActionLine action={data} /> : null;
}

function ActionLine({ action }: { action: Schemas["ActionOut"] }) {
  const undo = useUndo(action);
  const mayWrite = useMayWrite();
  return (
    <Stack gap={6}>
      <div className={styles.line}>
        <TextLink to="/activity/$actionId" params={{ actionId: action.id }} size="sm">
          {action.status === "unknown" ? "Say whether it happened" : "See what was done"}
        </TextLink>
        {action.undoneBy && <Tag>undone</Tag>}
        {action.undoable && mayWrite(action.workspaceId) && (
          <UndoButton undo={undo} title={action.title} size="compact-sm" />
        )}
      </div>
      <UndoProblem undo={undo} />
    </Stack>
  );
}
