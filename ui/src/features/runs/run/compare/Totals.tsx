import type { ReactNode } from "react";

import { TextLink } from "@/components/TextLink";
import { When } from "@/components/When";
import { dollars, figure, took } from "@/features/llm/models/amounts";

import { RunMark } from "../../list/RunMark";
import { Took } from "../../list/Took";
import { KINDS, type Run } from "../../list/words";
import { useModelName } from "../useModelName";
import styles from "./Compare.module.css";

const lasted = ({ startedAt, completedAt }: Run) =>
  startedAt && completedAt ? Date.parse(completedAt) - Date.parse(startedAt) : null;

/** What each took and cost, and what the second had more or less. */
export function Totals({ left, right }: { left: Run; right: Run }) {
  const modelName = useModelName();
  const [before, after] = [lasted(left), lasted(right)];
  return (
    <table className={styles.totals} aria-label="Totals">
      <thead>
        <tr>
          <td />
          <Head name="First" run={left} />
          <Head name="Second" run={right} />
          <th scope="col">Difference</th>
        </tr>
      </thead>
      <tbody>
        <Line name="How it stands" values={[<RunMark run={left} />, <RunMark run={right} />]} />
        <Line name="Model" values={[modelName(left.modelId), modelName(right.modelId)]} />
        <Line
          name="Steps"
          values={[figure(left.steps), figure(right.steps)]}
          difference={signed(right.steps - left.steps, figure)}
        />
        <Line
          name="Tokens"
          values={[figure(left.tokensUsed), figure(right.tokensUsed)]}
          difference={signed(right.tokensUsed - left.tokensUsed, figure)}
        />
        <Line
          name="Money"
          values={[dollars(left.money), dollars(right.money)]}
          difference={signed(right.money - left.money, dollars)}
        />
        <Line
          name="Took"
          values={[<Took run={left} />, <Took run={right} />]}
          difference={before !== null && after !== null && signed(after - before, took)}
        />
      </tbody>
    </table>
  );
}

function Head({ name, run }: { name: string; run: Run }) {
  return (
    <th scope="col">
      <TextLink to="/runs/$runId" params={{ runId: run.id }}>
        {name}
      </TextLink>
      <span className={styles.about}>
        {KINDS[run.kind]}, <When at={run.createdAt} />
      </span>
    </th>
  );
}

interface LineProps {
  name: string;
  values: [ReactNode, ReactNode];
  difference?: ReactNode;
}

function Line({ name, values: [left, right], difference }: LineProps) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{left}</td>
      <td>{right}</td>
      <td>{difference}</td>
    </tr>
  );
}

/** "+120", "−$0.01", "same". */
function signed(difference: number, inWords: (amount: number) => string): string {
  if (difference === 0) return "same";
  return `${difference > 0 ? "+" : "−"}${inWords(Math.abs(difference))}`;
}
