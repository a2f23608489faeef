import { TextLink } from "@/components/TextLink";
import { Arguments } from "@/features/gate/shared/Arguments";
import { Untrusted, Visible } from "@/features/gate/shared/Untrusted";

import styles from "./CallLine.module.css";
import { argumentsOf } from "./calls";
import { Files } from "./Files";
import { Result } from "./Result";
import { Sent } from "./Sent";
import type { Call, Message } from "./useSession";

interface Props {
  sessionId: string;
  call: Call;
  result: Message | undefined;
  /** The arguments as the model got them back. */
  sent: string | undefined;
}

/** All of a call: what the tool was given, why it was allowed or not, and what it answered. */
export function CallDetail({ sessionId, call, result, sent }: Props) {
  const values = argumentsOf(call.arguments);
  return (
    <div className={styles.detail}>
      <Why call={call} />
      <div>
        <p className={styles.name}>
          What <code>{call.tool}</code> was given
        </p>
        {values ? (
          <Arguments values={values} />
        ) : (
          <pre className={styles.text} role="region" aria-label="What it was given" tabIndex={0}>
            <Visible>{call.arguments}</Visible>
          </pre>
        )}
        <Sent text={call.arguments} sent={sent} />
      </div>
      {result && <Result sessionId={sessionId} message={result} />}
      {result && <Files sessionId={sessionId} message={result} />}
    </div>
  );
}

/** The gate's words, and where to find more of them. */
function Why({ call: { reason, ruleName, status, approvalId, actionId } }: { call: Call }) {
  return (
    <>
      {reason && status !== "denied" && <Untrusted>{reason}</Untrusted>}
      {ruleName && (
        <span>
          The rule “{ruleName}” decided this.{" "}
          <TextLink to="/policies" size="sm" underline="always">
            All policies
          </TextLink>
        </span>
      )}
      {approvalId && (
        <TextLink to="/approvals/$approvalId" params={{ approvalId }} size="sm">
          See the question and its answer
        </TextLink>
      )}
      {actionId && (
        <TextLink to="/activity/$actionId" params={{ actionId }} size="sm">
          See what was done, or undo it
        </TextLink>
      )}
    </>
  );
}
