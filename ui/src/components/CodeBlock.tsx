import styles from "./CodeBlock.module.css";

/** Text of a machine, as it is. It scrolls by keyboard too. */
export function CodeBlock({ label, children }: { label: string; children: string }) {
  return (
    <pre className={styles.block} role="region" aria-label={label} tabIndex={0}>
      {children}
    </pre>
  );
}
