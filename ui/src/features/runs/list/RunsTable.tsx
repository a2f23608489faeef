import { TextLink } from "@/components/TextLink";
import { When } from "@/components/When";
import { Untrusted } from "@/features/gate/shared/Untrusted";
import { dollars, figure } from "@/features/llm/models/amounts";

import { RunMark } from "./RunMark";
import styles from "./RunsTable.module.css";
import { Took } from "./Took";
import { KINDS, type Run } from "./words";

const COLUMNS = ["Run", "Agent", "By", "How it stands", "Steps", "Tokens", "Money", "When", "Took"];
const FIGURES = new Set(["Steps", "Tokens", "Money", "Took"]);

/** Runs with their figures in columns; on a phone, each is a few lines. */
export function RunsTable({ runs }: { runs: Run[] }) {
  return (
    <div className={styles.frame}>
      <table className={styles.table} aria-label="Runs">
        <thead>
          <tr>
            {COLUMNS.map((name) => (
              <th key={name} scope="col" data-figure={FIGURES.has(name) || undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <RunLine key={run.id} run={run} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function RunLine({ run }: { run: Run }) {
  return (
    <tr data-row tabIndex={-1}>
      <th scope="row" className={styles.title}>
        <TextLink to="/runs/$runId" params={{ runId: run.id }} fw={500}>
          <Untrusted most={90} brief>
            {run.title || "Nothing asked yet"}
          </Untrusted>
        </TextLink>
        {run.kind !== "session" && <span className={styles.kind}>{KINDS[run.kind]}</span>}
      </th>
      <td>
        <span className={styles.name}>{run.agentName}</span>
      </td>
      <td>
        <span className={styles.name}>{run.userName}</span>
      </td>
      <td className={styles.status}>
        <RunMark run={run} />
      </td>
      <td data-figure data-unit={run.steps === 1 ? "step" : "steps"}>
        {figure(run.steps)}
      </td>
      <td data-figure data-unit="tokens">
        {figure(run.tokensUsed)}
      </td>
      <td data-figure>{dollars(run.money)}</td>
      <td className={styles.when}>
        <When at={run.createdAt} />
      </td>
      <td data-figure>
        <Took run={run} />
      </td>
    </tr>
  );
}
