import { Text, Title } from "@mantine/core";
import type { ReactNode } from "react";

import type { Schemas } from "@/api/client";
import rows from "@/components/Rows.module.css";
import { Verdict } from "@/components/StateMark";
import { When } from "@/components/When";

import { CallerName } from "../shared/CallerName";
import { Sources } from "../shared/Sources";
import { Untrusted } from "../shared/Untrusted";
import { useWorkspaceName } from "../shared/useWorkspaces";
import { EFFECTS } from "../shared/words";
import { Answers } from "./Answers";
import styles from "./Card.module.css";
import { Preview } from "./Preview";

type Approval = Schemas["ApprovalOut"];

interface Props {
  approval: Approval;
  heading: ReactNode;
  onAnswered: () => void;
}

/** A call that waits: what, who, why, whose words it rests on, what would change; and the answer. */
export function Question({ approval, heading, onAnswered }: Props) {
  const { caller, effect, workspaceId, reason, sources, canAnswer } = approval;
  const workspaceName = useWorkspaceName();
  return (
    <>
      <div className={styles.head}>
        <Title order={2}>{heading}</Title>
        <Verdict verdict="asks">{canAnswer ? "waiting for you" : "waiting for another"}</Verdict>
      </div>
      <div className={rows.meta}>
        <CallerName caller={caller} />
        <span>{EFFECTS[effect]}</span>
        <span>in {workspaceName(workspaceId)}</span>
        <span>
          <When at={approval.createdAt} prefix="asked" />
        </span>
        <span>
          <When at={approval.expiresAt} prefix="expires" />
        </span>
      </div>
      <dl className={styles.facts}>
        <dt>Why</dt>
        <dd>
          <Untrusted>{reason || "A rule wants a person to look at it."}</Untrusted>
        </dd>
        {sources.length > 0 && (
          <>
            <dt>It had read</dt>
            <dd>
              <Sources sources={sources} />
            </dd>
          </>
        )}
        <dt>What</dt>
        <dd>
          <Preview approval={approval} />
          {!approval.undoable && (
            <Text size="sm" c="dimmed" mt={4}>
              This cannot be undone afterwards.
            </Text>
          )}
        </dd>
      </dl>
      {canAnswer ? (
        <Answers approval={approval} onAnswered={onAnswered} />
      ) : (
        <Text size="sm" c="dimmed">
          You cannot answer this. The owner of the account that it acts on can.
        </Text>
      )}
    </>
  );
}
