import { Text } from "@mantine/core";

import { Untrusted } from "@/features/gate/shared/Untrusted";

import type { Case, Item } from "../words";
import { Items } from "./Items";
import styles from "./Pane.module.css";

const NONE = {
  working: "Nothing is there yet. Items stand here as soon as the director makes them.",
  waiting: "Nothing is there yet: the director waits for your answer.",
  done: "The director is done, and made no items.",
  failed: "There are no items: the work failed before any was made.",
  stopped: "There are no items: the work was stopped before any was made.",
};

/** What a director made of a mail; if nothing, says so, and shows nothing else in its place. */
export function Work({ one, items }: { one: Case; items: Item[] | undefined }) {
  return (
    <>
      {one.reason && one.state !== "done" && (
        <p className={styles.reason}>
          <Untrusted most={400}>{one.reason}</Untrusted>
        </p>
      )}
      {one.refused.map(({ tool, reason }) => (
        <p className={styles.reason} key={tool + reason}>
          Refused: <Untrusted most={64}>{tool}</Untrusted>.{" "}
          <Untrusted most={400}>{reason}</Untrusted>
        </p>
      ))}
      {items && items.length > 0 && <Items items={items} />}
      {items?.length === 0 && (
        <Text size="sm" c="dimmed">
          {NONE[one.state]}
        </Text>
      )}
    </>
  );
}
