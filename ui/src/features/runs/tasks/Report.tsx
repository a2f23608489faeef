import { StateMark } from "@/components/StateMark";
import { Unfold } from "@/components/Unfold";
import { isUntrusted } from "@/features/gate/shared/words";
import { Markdown } from "@/markdown/Markdown";

import { LABELS, type Task } from "./words";

/** What an agent had to say about a task at its end, and whose words it had read by then. */
export function Report({ task }: { task: Task }) {
  const { report, reportLabel, state } = task;
  const label = reportLabel && isUntrusted(reportLabel) && (
    <StateMark state="warning">{LABELS[reportLabel]}</StateMark>
  );
  return (
    <Unfold label={state === "failed" ? "What went wrong" : "Report"} beside={label}>
      {() => <Markdown>{report ?? ""}</Markdown>}
    </Unfold>
  );
}
