import { Badge, Box, Text } from "@mantine/core";
import type { ReactNode } from "react";

type State = "ok" | "warning" | "failed" | "off";

const COLOURS: Record<State, string> = {
  ok: "var(--bw-ok)",
  warning: "var(--bw-warning)",
  failed: "var(--bw-failed)",
  off: "var(--mantine-color-dimmed)",
};

/** A coloured dot with its meaning in words, so that the colour is never alone. */
export function StateMark({ state, children }: { state: State; children: ReactNode }) {
  return (
    <Text component="span" size="sm" fw={400} style={{ whiteSpace: "nowrap" }}>
      <Box
        component="span"
        aria-hidden
        style={{
          display: "inline-block",
          width: 8,
          height: 8,
          borderRadius: "50%",
          marginRight: 6,
          background: COLOURS[state],
        }}
      />
      {children}
    </Text>
  );
}

/** A quiet word beside a name: "you", "admin". */
export function Tag({ children }: { children: ReactNode }) {
  return (
    <Badge variant="default" size="sm" radius="sm" tt="none" fw={500}>
      {children}
    </Badge>
  );
}
