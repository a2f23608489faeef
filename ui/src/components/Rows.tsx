import type { ReactNode } from "react";

import styles from "./Rows.module.css";

/** A list of things, one under the other. */
export function Rows({ label, children }: { label: string; children: ReactNode }) {
  return (
    // Without its bullets a list is no list to some screen readers; the role gives it back.
    <ul className={styles.rows} role="list" aria-label={label}>
      {children}
    </ul>
  );
}

interface RowProps {
  leading?: ReactNode;
  title: ReactNode;
  marks?: ReactNode;
  meta?: ReactNode[];
  actions?: ReactNode;
  /** On a phone, the actions go under the text. */
  wraps?: boolean;
  children?: ReactNode;
}

/** One of them. `j` and `k` move along rows, Enter follows the row's link. */
export function Row({ leading, title, marks, meta = [], actions, wraps, children }: RowProps) {
  const facts = meta.filter(Boolean);
  return (
    <li className={styles.row} data-row data-wraps={wraps || undefined} tabIndex={-1}>
      {leading}
      <div className={styles.text}>
        <div className={styles.title}>
          <span>{title}</span>
          {marks}
        </div>
        {facts.length > 0 && (
          <div className={styles.meta}>
            {facts.map((fact, index) => (
              <span key={index}>{fact}</span>
            ))}
          </div>
        )}
        {children}
      </div>
      {actions && <div className={styles.actions}>{actions}</div>}
    </li>
  );
}
