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

/** Calls, tokens and money of each, the dearest first; and what caching saved, if it did. */
export function SpendTable({ caption, what, sums, name = (sum) => sum.name }: Props) {
  const cached = sums.some(({ saved }) => saved !== 0);
  return (
    <table className={styles.table}>
      <caption>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{what}</th>
          <th scope="col">Calls</th>
          <th scope="col">Tokens</th>
          <th scope="col">Money</th>
          {cached && <th scope="col">Saved</th>}
        </tr>
      </thead>
      <tbody>
        {sums.map((sum) => (
          <tr key={sum.key}>
            <th scope="row">{name(sum)}</th>
            <td>{figure(sum.calls)}</td>
            <td>{figure(sum.tokens)}</td>
            <td>{dollars(sum.money)}</td>
            {cached && <td>{signed(sum.saved)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const signed = (amount: number) => (amount < 0 ? `−${dollars(-amount)}` : dollars(amount));
