import { Alert, Anchor } from "@mantine/core";
import { IconInfoCircle } from "@tabler/icons-react";

import type { Suggestion } from "./useSuggestion";

/** What is known of a provider, such as that it wants an app password. */
export function Suggested({ suggestion }: { suggestion: Suggestion | undefined }) {
  if (!suggestion) return null;
  const { isKnown, note, help } = suggestion;
  return (
    <Alert
      role="status"
      variant="default"
      icon={<IconInfoCircle size={18} />}
      styles={{ message: { color: "var(--mantine-color-text)" } }}
    >
      {isKnown && "The servers of this provider are filled in. "}
      {note}{" "}
      {help && help.startsWith("https://") && (
        <Anchor href={help} target="_blank" rel="noreferrer" inherit underline="always">
          The provider's page about it
        </Anchor>
      )}
    </Alert>
  );
}
