import { Button, Loader, Text } from "@mantine/core";

import { notify } from "@/components/notify";
import { Row, Rows } from "@/components/Rows";
import { Section } from "@/components/Section";
import { StateMark } from "@/components/StateMark";
import { TextLink } from "@/components/TextLink";

import { FindingRow } from "./FindingRow";
import { type Demo, isBusy, useDemoChanges } from "./useDemo";

interface Props {
  workspaceId: string;
  demo: Demo;
}

/** What the sample data shows, and where to look. */
export function SampleOffice({ workspaceId, demo }: Props) {
  return (
    <Section
      title="Sample data"
      description={demo.note}
      actions={demo.canChange && <TakeAway workspaceId={workspaceId} />}
    >
      <Text role="status" size="sm" mb="xs">
        {progress(demo)} {isBusy(demo) && <Loader size={12} aria-hidden />}
      </Text>
      <Rows label="Sample data">
        <Mails demo={demo} />
        {demo.routed > 0 && <Routed demo={demo} />}
        {demo.runId && <Asked demo={demo} runId={demo.runId} />}
        {demo.findings.map((finding) => (
          <FindingRow key={finding.approvalId} finding={finding} />
        ))}
      </Rows>
    </Section>
  );
}

function Mails({ demo: { mails, expected } }: { demo: Demo }) {
  // What is answered from there later stands in the mailbox too, and did not come in.
  const all = mails >= expected;
  return (
    <Row
      title={
        <TextLink to="/mail" fw={500}>
          {all ? `${expected} mails came in` : `${mails} of ${expected} mails came in`}
        </TextLink>
      }
      meta={["The mailbox of a bicycle workshop that does not exist"]}
    />
  );
}

function Routed({ demo: { routed, directors } }: { demo: Demo }) {
  return (
    <Row
      title={
        <TextLink to="/mail/filters" fw={500}>
          {`${routed} mails were routed to ${directors.length} directors`}
        </TextLink>
      }
      meta={directors.map(({ name, routed: count }) => `${name}: ${count}`)}
    />
  );
}

function Asked({ demo, runId }: { demo: Demo; runId: string }) {
  return (
    <Row
      title={
        <TextLink to="/sessions/$sessionId" params={{ sessionId: runId }} fw={500}>
          The assistant was asked to answer
        </TextLink>
      }
      marks={demo.problem && <StateMark state="failed">{demo.problem}</StateMark>}
      meta={[`In your name: “${demo.words}”`]}
    />
  );
}

function TakeAway({ workspaceId }: { workspaceId: string }) {
  const { add, remove, isPending } = useDemoChanges(workspaceId);
  return (
    <Button
      size="xs"
      variant="default"
      loading={isPending}
      onClick={() => notify.undoable(remove(), "The sample data is gone.", add)}
    >
      Take it away
    </Button>
  );
}

function progress({ state, mails, expected, problem }: Demo): string {
  switch (state) {
    case "fetching":
      return `Fetching the mail: ${mails} of ${expected}.`;
    case "working":
      return "The assistant reads the new mail and answers.";
    case "failed":
      return problem ?? "Something went wrong.";
    default:
      return "This is what happened.";
  }
}
