import { Button, Group, List, Paper, Text } from "@mantine/core";

import { api, type Schemas } from "@/api/client";
import { StateMark } from "@/components/StateMark";
import { Loaded } from "@/components/states";
import { When } from "@/components/When";
import { useRefresh } from "@/live/useRefresh";

import { Restored } from "./Restored";
import { counted } from "./words";

/** What a restored backup explains, if there was one. */
const RESTORED = ["rolled_back", "record_removed", "file_cut", "checkpoint_removed"];
type Status = Schemas["AuditStatusOut"];
type Report = Schemas["ReportOut"];

/** Whether the audit is as it was written; if not, where. */
export function Integrity() {
  const status = api.useQuery("get", "/api/v1/audit/status", {}, { refetchInterval: 15_000 });
  const refresh = useRefresh();
  const verify = api.useMutation("post", "/api/v1/audit/verify", {
    onSuccess: () => refresh("audit"),
  });
  return (
    <Paper
      withBorder
      radius="md"
      px="md"
      py="sm"
      mb="md"
      mih={54}
      aria-label="Integrity"
      component="section"
    >
      <Group justify="space-between" gap="sm">
        <Text size="sm" flex="1 1 240px" component="div" aria-live="polite">
          <Loaded query={status} loading="…">
            {(now) => <Said status={now} />}
          </Loaded>
        </Text>
        <Button
          size="xs"
          variant="default"
          loading={verify.isPending}
          onClick={() => verify.mutate({})}
        >
          Verify now
        </Button>
      </Group>
      {status.data?.anchorFailure && (
        <Text size="sm" mt="xs">
          The copy of the checkpoints elsewhere is behind: {status.data.anchorFailure}.
        </Text>
      )}
      {status.data?.mark && (
        <Text size="xs" c="dimmed" mt="xs" style={{ overflowWrap: "anywhere" }}>
          Newest checkpoint: {status.data.mark}
        </Text>
      )}
      {status.data?.lastVerification && <Findings report={status.data.lastVerification} />}
    </Paper>
  );
}

function Said({ status: { rows, unsealed, lastVerification: last } }: { status: Status }) {
  const tail =
    unsealed === 0
      ? "all of them sealed"
      : `${counted(unsealed, "entry", "entries")} since the last seal`;
  if (!last) {
    return (
      <StateMark state="waiting">
        {counted(rows, "entry", "entries")}, not checked since the office was started; {tail}.
      </StateMark>
    );
  }
  if (!last.isClean) {
    return (
      <StateMark state="failed">
        <span>
          The audit is not as it was written: {counted(last.count, "finding")}, checked{" "}
          <When at={last.at} />.
        </span>
      </StateMark>
    );
  }
  return (
    <StateMark state="ok">
      <span>
        All {counted(last.rows, "entry is", "entries are")} intact, checked <When at={last.at} />;{" "}
        {tail}.
      </span>
    </StateMark>
  );
}

/** Where something is wrong, and what else there is to say. */
function Findings({ report: { problems, count, notes, limits } }: { report: Report }) {
  return (
    <>
      <List size="sm" mt="xs" spacing={4} aria-label="What was found">
        {problems.map(({ text, chain, number, at }, index) => (
          <List.Item key={index}>
            {text}{" "}
            <Text span size="sm" c="dimmed">
              {[chain && number !== null ? `${chain}:${number}` : chain, at]
                .filter(Boolean)
                .join(", ")}
            </Text>
          </List.Item>
        ))}
        {count > problems.length && <List.Item>and {count - problems.length} more</List.Item>}
        {[...notes, ...limits].map((note) => (
          <List.Item key={note}>{note}</List.Item>
        ))}
      </List>
      {problems.some(({ kind }) => RESTORED.includes(kind)) && <Restored />}
    </>
  );
}
