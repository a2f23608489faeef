import { Unfold } from "@/components/Unfold";
import { Untrusted } from "@/features/gate/shared/Untrusted";

import styles from "../transcript/Conversation.module.css";
import { count } from "../transcript/words";
import type { ThreadMessage } from "./useThread";

/** What an answer rests on that others wrote. */
export function Sources({ of: { metadata } }: { of: ThreadMessage }) {
  const sources = Array.isArray(metadata.sources) ? metadata.sources.map(String) : [];
  if (sources.length === 0) return null;
  return (
    <Unfold
      look="inline"
      label={<span className={styles.quiet}>{count(sources.length, "source")}</span>}
    >
      <ul className={styles.deeds} role="list" aria-label="Sources">
        {sources.map((source, place) => (
          <li key={place} className={styles.quiet}>
            <Untrusted most={160}>{source}</Untrusted>
          </li>
        ))}
      </ul>
    </Unfold>
  );
}
