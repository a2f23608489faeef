import { Row } from "@/components/Rows";
import { StateMark, Verdict } from "@/components/StateMark";
import { TextLink } from "@/components/TextLink";
import { Untrusted } from "@/features/gate/shared/Untrusted";

import type { Finding } from "./useDemo";

const OUTCOMES: Record<Finding["status"], string> = {
  pending: "Waits for you",
  allowed: "You allowed it",
  done: "You allowed it",
  failed: "It was allowed, and failed",
  unknown: "Nobody knows whether it was done",
  denied: "You said no",
  expired: "Nobody answered in time",
};

/** Something that the assistant wanted to do, with the gate's reason for asking. */
export function FindingRow({ finding }: { finding: Finding }) {
  const { approvalId, kind, recipients, subject, reason, status } = finding;
  const to = recipients.join(", ");
  return (
    <Row
      title={
        <TextLink to="/approvals/$approvalId" params={{ approvalId }} fw={500}>
          {kind === "reply" ? `A reply to ${to}` : `A mail wanted this sent to ${to}`}
        </TextLink>
      }
      marks={
        status === "pending" ? (
          <Verdict verdict="asks">
            {kind === "reply" ? "waits for you" : "stopped: asks you"}
          </Verdict>
        ) : (
          <StateMark state="ok">{OUTCOMES[status]}</StateMark>
        )
      }
      meta={[
        <Untrusted key="subject" most={120} brief>
          {subject}
        </Untrusted>,
        <Untrusted key="reason" most={300}>
          {reason}
        </Untrusted>,
      ]}
    />
  );
}
