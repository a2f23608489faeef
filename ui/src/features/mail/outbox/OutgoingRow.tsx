import { Text } from "@mantine/core";

import { Row } from "@/components/Rows";
import { StateMark } from "@/components/StateMark";
import { TextLink } from "@/components/TextLink";
import { When } from "@/components/When";
import { Untrusted } from "@/features/gate/shared/Untrusted";
import { isUntrusted } from "@/features/gate/shared/words";

import { Answers } from "./Answers";
import { Countdown } from "./Countdown";
import { useMaySend } from "./useMaySend";
import { MARKS, type Outgoing, recipients, subjectOf } from "./words";

/** A message on its way out: to whom, how it stands, and what one can still do. */
export function OutgoingRow({ outgoing }: { outgoing: Outgoing }) {
  const { id, status, sender, label, createdByName, createdAt, sentAt, problem, note } = outgoing;
  const maySend = useMaySend()(outgoing.accountId);
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
          <Untrusted most={160} brief>
            {subjectOf(outgoing)}
          </Untrusted>
        </TextLink>
      }
      marks={
        <>
          <StateMark state={MARKS[status].state}>
            {status === "held" ? <Countdown until={outgoing.dueAt} /> : MARKS[status].words}
          </StateMark>
          {isUntrusted(label) && <StateMark state="warning">rests on a stranger's words</StateMark>}
        </>
      }
      meta={[
        recipients(outgoing),
        `from ${sender}`,
        `by ${createdByName}`,
        sentAt ? <When at={sentAt} prefix="sent" /> : <When at={createdAt} prefix="written" />,
      ]}
      actions={maySend && <Answers outgoing={outgoing} />}
    >
      <Reason status={status} problem={problem} attempts={outgoing.attempts} />
      {note && (
        <Text size="sm" mt={4}>
          <Untrusted>{note}</Untrusted>
        </Text>
      )}
    </Row>
  );
}

function Reason({ status, problem, attempts }: Pick<Outgoing, "status" | "problem" | "attempts">) {
  if (!problem) return null;
  return (
    <Text size="sm" mt={4}>
      {status === "held" && attempts > 0 && `It did not go out yet, tried ${times(attempts)}: `}
      <Untrusted>{problem}</Untrusted>
    </Text>
  );
}

const times = (count: number) => (count === 1 ? "once" : `${count} times`);
