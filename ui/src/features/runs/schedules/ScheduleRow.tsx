import { Button, Menu, Switch, Text } from "@mantine/core";
import { IconPlayerPlay } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";

import { MoreMenu } from "@/components/MoreMenu";
import { Row } from "@/components/Rows";
import { StateMark, Tag } from "@/components/StateMark";
import { TextLink } from "@/components/TextLink";
import { When } from "@/components/When";
import { STATUSES } from "@/features/runs/list/words";
import { useWhere } from "@/features/runs/tasks/useWhere";

import { useSchedules } from "./useSchedules";
import { ownZone, type Schedule } from "./words";

/** One schedule: who does what when, and what came of it last. */
export function ScheduleRow({ schedule }: { schedule: Schedule }) {
  const { id, name, words, agentName, enabled, nextAt, lastError } = schedule;
  const where = useWhere();
  const zone = schedule.timeZone === ownZone() ? "" : `, ${schedule.timeZone}`;
  return (
    <Row
      wraps
      title={
        <TextLink
          to="."
          search={(before) => ({ ...before, dialog: id })}
          resetScroll={false}
          fw={500}
        >
          {name}
        </TextLink>
      }
      marks={
        <>
          <Tag>{agentName}</Tag>
          {!enabled && <StateMark state="off">switched off</StateMark>}
        </>
      }
      meta={[
        `${schedule.inWords}${zone}`,
        nextAt && <When at={nextAt} prefix="next" />,
        <LastRun schedule={schedule} />,
        where(schedule.workspaceId),
      ]}
      actions={<Actions schedule={schedule} />}
    >
      <Text size="sm" lineClamp={2} dir="auto">
        {words}
      </Text>
      {lastError && <StateMark state="warning">{lastError}</StateMark>}
    </Row>
  );
}

function LastRun({ schedule }: { schedule: Schedule }) {
  const { lastRunId: runId, lastRunStatus, name } = schedule;
  if (!runId || !lastRunStatus) return "never run yet";
  return (
    <TextLink
      to="/sessions/$sessionId"
      params={{ sessionId: runId }}
      size="sm"
      aria-label={`Open the last run of ${name}`}
    >
      last run: {STATUSES[lastRunStatus].words}
    </TextLink>
  );
}

function Actions({ schedule }: { schedule: Schedule }) {
  const { id, name, enabled } = schedule;
  const { switchTo, run, isStarting, remove } = useSchedules();
  const navigate = useNavigate();
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconPlayerPlay size={14} />}
        aria-label={`Run now: ${name}`}
        loading={isStarting}
        onClick={() => run(schedule)}
      >
        Run now
      </Button>
      <Switch
        size="sm"
        aria-label={`${name} is switched on`}
        checked={enabled}
        onChange={(event) => switchTo(schedule, event.currentTarget.checked)}
      />
      <MoreMenu label={`More for ${name}`}>
        <Menu.Item onClick={() => void navigate({ to: "/runs", search: { schedule: id } })}>
          All its runs
        </Menu.Item>
        <Menu.Item onClick={() => remove(schedule)}>Delete</Menu.Item>
      </MoreMenu>
    </>
  );
}
