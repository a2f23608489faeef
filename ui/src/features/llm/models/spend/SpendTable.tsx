import type { ReactNode } from "react";

import { dollars, figure } from "../amounts";
import styles from "./Bars.module.css";
import type { Sum } from "./sums";

interface Props {
  caption: string;
  what: string;
  sums: Sum[];
  name?: (sum: Sum) => ReactNode;
}

/** Calls, tokens and money of each, the dearest first. */
export function SpendTable({ caption, what, sums, name = (sum) => sum.name }: Props) {
  return (
    <table className={styles.table}>
      <caption>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{what}</th>
          <th scope="col">Calls</th>
          <th scope="col">Tokens</th>
          <th scope="col">Money</th>
        </tr>
      </thead>
      <tbody>
        {sums.map((sum) => (
          <tr key={sum.key}>
            <th scope="row">{name(sum)}</th>
            <td>{figure(sum.calls)}</td>
            <td>{figure(sum.tokens)}</td>
            <td>{dollars(sum.money)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
