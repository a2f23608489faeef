import { Button, Checkbox, Menu } from "@mantine/core";
import { IconPlayerPlay } from "@tabler/icons-react";

import { MoreMenu } from "@/components/MoreMenu";
import { Row } from "@/components/Rows";
import { StateMark, Tag } from "@/components/StateMark";
import { TextLink } from "@/components/TextLink";
import { Untrusted } from "@/features/gate/shared/Untrusted";
import { isUntrusted } from "@/features/gate/shared/words";

import { Report } from "./Report";
import styles from "./TaskRow.module.css";
import { useTasks } from "./useTasks";
import { useWhere } from "./useWhere";
import { dueInWords, isLive, LABELS, nameOf, standing, type Task } from "./words";

/** One task: what it is, who is at it, and what came of it. */
export function TaskRow({ task, mayWrite }: { task: Task; mayWrite: boolean }) {
  const { title, notes, due, label, agentName, runId, canOpenRun, workspaceId } = task;
  const where = useWhere();
  const { complete, isCompleting } = useTasks();
  const isDone = task.completedAt !== null;
  const stands = standing(task);
  return (
    <Row
      wraps={task.assignedTo !== null && !isLive(task)}
      leading={
        <Checkbox
          className={styles.tick}
          aria-label={`Complete ${nameOf(task)}`}
          checked={isDone || isCompleting}
          disabled={isDone || !mayWrite}
          onChange={() => complete(task)}
        />
      }
      title={<Title task={task} mayWrite={mayWrite} text={title} />}
      marks={
        <>
          {agentName && <Tag>{agentName}</Tag>}
          {stands && <StateMark state={stands.state}>{stands.words}</StateMark>}
          {isUntrusted(label) && <StateMark state="warning">{LABELS[label]}</StateMark>}
        </>
      }
      meta={[
        due && dueInWords(due),
        notes && (
          <Untrusted most={120} brief>
            {notes}
          </Untrusted>
        ),
        where(workspaceId),
        runId && canOpenRun && (
          <TextLink
            to="/sessions/$sessionId"
            params={{ sessionId: runId }}
            size="sm"
            aria-label={`Open the run of ${nameOf(task)}`}
          >
            Open the run
          </TextLink>
        ),
      ]}
      actions={mayWrite && <Actions task={task} />}
    >
      {task.report && <Report task={task} />}
    </Row>
  );
}

function Title({ task, mayWrite, text }: { task: Task; mayWrite: boolean; text: string }) {
  const shown = (
    <Untrusted most={240} brief>
      {text}
    </Untrusted>
  );
  if (!mayWrite) return shown;
  return (
    <TextLink
      to="."
      search={(before) => ({ ...before, dialog: task.id })}
      resetScroll={false}
      fw={500}
    >
      {shown}
    </TextLink>
  );
}

function Actions({ task }: { task: Task }) {
  const { run, isStarting, takeBack, remove } = useTasks();
  const { assignedTo, agentName, runId } = task;
  const verb = runId ? "Run again" : "Run now";
  return (
    <>
      {assignedTo && !isLive(task) && (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlayerPlay size={14} />}
          aria-label={`${verb}: ${nameOf(task)}`}
          loading={isStarting}
          onClick={() => run(task)}
        >
          {verb}
        </Button>
      )}
      <MoreMenu label={`More for ${nameOf(task)}`}>
        {assignedTo && (
          <Menu.Item onClick={() => takeBack(task)}>
            {isLive(task) ? `Stop ${agentName ?? "the agent"} and take it back` : "Take it back"}
          </Menu.Item>
        )}
        <Menu.Item onClick={() => remove(task)}>Delete</Menu.Item>
      </MoreMenu>
    </>
  );
}
