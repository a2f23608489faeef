import { StateMark, Tag, Verdict } from "@/components/StateMark";
import { TextLink } from "@/components/TextLink";
import { Unfold } from "@/components/Unfold";
import { Untrusted } from "@/features/gate/shared/Untrusted";
import { isUntrusted, LABELS } from "@/features/gate/shared/words";

import { CallDetail } from "./CallDetail";
import styles from "./CallLine.module.css";
import { duration, fateOf, objectOf } from "./calls";
import type { Deed } from "./turns";
import type { Call } from "./useSession";

interface Props {
  sessionId: string;
  deed: Deed;
  /** Says why also where it was allowed. */
  withReason?: boolean;
}

/** What the agent did, in one line: what, to what, what the gate said. It unfolds to all of it. */
export function CallLine({ sessionId, deed, withReason }: Props) {
  const { call, tool } = deed;
  if (!call) return <li className={styles.line}>{tool}</li>;
  const object = objectOf(call.arguments);
  const label = call.label as keyof typeof LABELS | null;
  return (
    <li className={styles.deed}>
      <Unfold
        look="inline"
        label={
          <span className={styles.line}>
            <span className={styles.title}>
              <Untrusted most={80} brief>
                {call.title}
              </Untrusted>
            </span>
            {object && (
              <span className={styles.object}>
                <Untrusted most={80} brief>
                  {object}
                </Untrusted>
              </span>
            )}
            <Fate call={call} />
            {label && isUntrusted(label) && <Tag>{LABELS[label]}</Tag>}
            {call.latencyMs !== null && (
              <span className={styles.quiet}>{duration(call.latencyMs)}</span>
            )}
          </span>
        }
      >
        {() => (
          <CallDetail sessionId={sessionId} call={call} result={deed.result} sent={deed.sent} />
        )}
      </Unfold>
      {(call.status === "denied" || withReason) && call.reason && (
        <p className={styles.reason}>
          <Untrusted most={300}>{call.reason}</Untrusted>
        </p>
      )}
      {call.childId && (
        <TextLink to="/sessions/$sessionId" params={{ sessionId: call.childId }} size="sm">
          See its session
        </TextLink>
      )}
    </li>
  );
}

function Fate({ call }: { call: Call }) {
  const { verdict, outcome } = fateOf(call);
  return (
    <>
      {verdict && <Verdict verdict={verdict.shade}>{verdict.words}</Verdict>}
      {outcome && <StateMark state={outcome.state}>{outcome.words}</StateMark>}
    </>
  );
}
