import { Row } from "@/components/Rows";
import { TextLink } from "@/components/TextLink";
import { When } from "@/components/When";
import { CallerName } from "@/features/gate/shared/CallerName";
import { DecisionMark } from "@/features/gate/shared/DecisionMark";
import { Untrusted } from "@/features/gate/shared/Untrusted";

import { StatusMark } from "./StatusMark";
import { callerOf, type Entry } from "./words";

/** One line of the audit. */
export function EntryRow({ entry }: { entry: Entry }) {
  const { id, at, tool, decision, status, ruleName, reason, error, summary, phase } = entry;
  const told = error ?? reason ?? summary;
  const isPlain = status === "denied" || (status === "done" && decision !== "REQUIRE_APPROVAL");
  return (
    <Row
      title={
        <TextLink
          to="."
          search={(before) => ({ ...before, dialog: id })}
          resetScroll={false}
          fw={500}
        >
          <Untrusted most={80}>{tool ?? "an unknown tool"}</Untrusted>
        </TextLink>
      }
      marks={
        <>
          <DecisionMark decision={decision} />
          {!isPlain && <StatusMark status={status} />}
        </>
      }
      meta={[
        <CallerName caller={callerOf(entry)} />,
        <When at={at} />,
        phase === "recovery" && "found after a restart",
        ruleName && !told?.includes(ruleName) && `rule “${ruleName}”`,
        told && <Untrusted most={300}>{told}</Untrusted>,
      ]}
    />
  );
}
