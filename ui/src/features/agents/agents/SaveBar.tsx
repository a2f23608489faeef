import { Button, Text } from "@mantine/core";

import styles from "./Agents.module.css";

interface Props {
  /** The form that is sent. */
  form: string;
  isNew: boolean;
  isChanged: boolean;
  saving: boolean;
  maySave: boolean;
  onDiscard: () => void;
}

/** Stays in sight while there is something to save. */
export function SaveBar({ form, isNew, isChanged, saving, maySave, onDiscard }: Props) {
  if (!isNew && !isChanged) return null;
  return (
    <div className={styles.bar}>
      <Text size="sm" c="dimmed">
        {isNew ? "Not made yet" : "Not saved yet"}
      </Text>
      {isChanged && (
        <Button variant="default" onClick={onDiscard}>
          Drop changes
        </Button>
      )}
      <Button type="submit" form={form} loading={saving} disabled={!maySave}>
        {isNew ? "Make the agent" : "Save"}
      </Button>
    </div>
  );
}
