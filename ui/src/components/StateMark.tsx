import { Badge, Text } from "@mantine/core";
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleMinus,
  IconCircleX,
  IconClock,
  IconRefresh,
} from "@tabler/icons-react";
import type { ReactNode } from "react";

import styles from "./StateMark.module.css";

const ICONS = {
  ok: IconCircleCheck,
  waiting: IconClock,
  retrying: IconRefresh,
  warning: IconAlertTriangle,
  failed: IconCircleX,
  off: IconCircleMinus,
};

export type State = keyof typeof ICONS;

/** How something stands: a shape and a word. Colours are for verdicts alone. */
export function StateMark({ state, children }: { state: State; children: ReactNode }) {
  const Icon = ICONS[state];
  return (
    <Text component="span" size="sm" fw={400} className={styles.mark} data-state={state}>
      <Icon size={15} stroke={1.8} aria-hidden />
      {children}
    </Text>
  );
}

/** What was decided about an action: allowed, a person is asked, or blocked. */
export function Verdict(props: { verdict: "allowed" | "asks" | "blocked"; children: ReactNode }) {
  return (
    <Text
      component="span"
      size="sm"
      fw={400}
      className={styles.verdict}
      data-verdict={props.verdict}
    >
      {props.children}
    </Text>
  );
}

/** A quiet word beside a name: "you", "admin". */
export function Tag({ children }: { children: ReactNode }) {
  return (
    <Badge variant="default" size="sm" radius="sm" tt="none" fw={500} className={styles.tag}>
      {children}
    </Badge>
  );
}
