import { Anchor, Text } from "@mantine/core";
import { useState } from "react";

import type { Schemas } from "@/api/client";

import styles from "./Sources.module.css";
import { Untrusted } from "./Untrusted";
import { LABELS } from "./words";

const FEW = 4;

/** What the caller had read before: whose words it may be acting on. */
export function Sources({ sources }: { sources: Schemas["ApprovalOut"]["sources"] }) {
  const [all, setAll] = useState(false);
  const shown = all ? sources : sources.slice(0, FEW);
  const more = sources.length - shown.length;
  return (
    <ul className={styles.list} role="list" aria-label="Whose words">
      {shown.map(({ label, about }, index) => (
        <li key={index}>
          <Untrusted most={200}>{about}</Untrusted>{" "}
          <Text span size="sm" c="dimmed">
            ({LABELS[label]})
          </Text>
        </li>
      ))}
      {more > 0 && (
        <li>
          <Anchor component="button" type="button" size="sm" onClick={() => setAll(true)}>
            and {more} more
          </Anchor>
        </li>
      )}
    </ul>
  );
}
