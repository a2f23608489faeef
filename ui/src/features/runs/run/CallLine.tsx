import { Text } from "@mantine/core";

import { StateMark, Tag, Verdict } from "@/components/StateMark";
import { TextLink } from "@/components/TextLink";
import { Unfold } from "@/components/Unfold";
import { Gist } from "@/features/gate/shared/Gist";
import { Untrusted } from "@/features/gate/shared/Untrusted";
import { LABELS } from "@/features/gate/shared/words";
import { took } from "@/features/llm/models/amounts";

import { RunMark } from "../list/RunMark";
import type { Run } from "../list/words";
import { CallDetail } from "./CallDetail";
import styles from "./Timeline.module.css";
import { argumentsOf, type Call, type Wanted } from "./timeline";
import { verdictOf } from "./words";

interface Props {
  runId: string;
  wanted: Wanted;
  child?: Run;
}

/** A tool call: what, the verdict, by which rule and why, and what came of it. */
export function CallLine({ runId, wanted, child }: Props) {
  const { call, tool } = wanted;
  const values = argumentsOf(wanted.arguments);
  return (
    <li className={styles.call}>
      <Unfold
        label={
          <>
            <Untrusted most={128}>{call?.title ?? tool}</Untrusted>{" "}
            {values && <Gist values={values} />}
          </>
        }
        beside={<Standing call={call} />}
      >
        {() => <CallDetail runId={runId} wanted={wanted} />}
      </Unfold>
      {call && <Why call={call} />}
      {call?.status === "waiting" && call.approvalId && (
        <div className={styles.child}>
          <TextLink to="/approvals/$approvalId" params={{ approvalId: call.approvalId }} size="sm">
            Answer it
          </TextLink>
        </div>
      )}
      {child && (
        <div className={styles.child}>
          <TextLink to="/runs/$runId" params={{ runId: child.id }}>
            Run of {child.agentName}
          </TextLink>
          <RunMark run={child} />
        </div>
      )}
    </li>
  );
}

function Standing({ call }: { call: Call | undefined }) {
  if (!call) return <StateMark state="off">as in the run before</StateMark>;
  const { shade, words } = verdictOf(call);
  return (
    <>
      {shade ? (
        <Verdict verdict={shade}>{words}</Verdict>
      ) : (
        <StateMark state={call.status === "skipped" ? "off" : "waiting"}>{words}</StateMark>
      )}
      {call.latencyMs !== null && (
        <Text span size="sm" c="dimmed">
          {took(call.latencyMs)}
        </Text>
      )}
    </>
  );
}

/** The rule that decided, its reason, and whose words came in. */
function Why({ call: { ruleId, ruleName, reason, label } }: { call: Call }) {
  const whose = label as keyof typeof LABELS | null;
  const foreign = whose === "stranger" || whose === "web" || whose === "contact";
  if (!ruleName && !reason && !foreign) return null;
  return (
    <div className={styles.why}>
      {ruleName && (
        <span>
          Rule{" "}
          <TextLink to="/policies" search={{ dialog: ruleId ?? undefined }} size="sm">
            {ruleName}
          </TextLink>
        </span>
      )}
      {reason && (
        <span>
          <Untrusted most={300}>{reason}</Untrusted>
        </span>
      )}
      {foreign && <Tag>it read: {LABELS[whose]}</Tag>}
    </div>
  );
}
