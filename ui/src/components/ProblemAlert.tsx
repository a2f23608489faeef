import { Alert } from "@mantine/core";
import { IconAlertCircle } from "@tabler/icons-react";

/** Says above a form what went wrong; takes no place while nothing did. */
export function ProblemAlert({ children }: { children: string | null | undefined }) {
  if (!children) return null;
  return (
    <Alert
      role="alert"
      variant="default"
      icon={<IconAlertCircle size={18} />}
      styles={{ message: { color: "var(--mantine-color-text)" } }}
    >
      {children}
    </Alert>
  );
}
