import { Text } from "@mantine/core";

import type { Schemas } from "@/api/client";

import { roleName } from "./content";
import styles from "./Prompts.module.css";

interface Props {
  message: Schemas["PromptMessageOut"];
  isExample?: boolean;
}

/** One message as the model reads it. */
export function Said({ message, isExample }: Props) {
  return (
    <div className={styles.said}>
      <Text size="xs" c="dimmed" fw={600}>
        {roleName(message.role)}
        {isExample && " (example)"}
      </Text>
      {message.content ? (
        <div className={styles.text}>{message.content}</div>
      ) : (
        <Text size="sm" c="dimmed">
          nothing yet
        </Text>
      )}
    </div>
  );
}
