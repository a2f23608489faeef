import { Paper } from "@mantine/core";
import type { ReactNode } from "react";

import styles from "./Facts.module.css";

/** What is so about a thing: names and values. */
export function Facts({ children }: { children: ReactNode }) {
  return (
    <Paper withBorder radius="md" px="md" py="sm">
      <dl className={styles.facts}>{children}</dl>
    </Paper>
  );
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
