import { Text } from "@mantine/core";

import type { Schemas } from "@/api/client";
import { TextLink } from "@/components/TextLink";
import { When } from "@/components/When";
import { Visible } from "@/features/gate/shared/Untrusted";

import styles from "./Filters.module.css";
import type { Previewed } from "./usePreview";

/** Which recent mails fit, with what fits in them marked. */
export function Preview({ preview }: { preview: Previewed }) {
  const { data, problem, wrong, regex } = preview;
  if (!regex || wrong) {
    return (
      <Text size="sm" c="dimmed" className={styles.preview}>
        {wrong
          ? "Once the pattern can be read, you see which recent mail fits."
          : "Write a pattern, and you see which recent mail fits."}
      </Text>
    );
  }
  return (
    <div className={styles.preview}>
      <Text size="sm" fw={500} role="status" aria-label="Preview">
        {problem ?? (data ? inWords(data) : "Looking…")}
      </Text>
      {data && data.items.length > 0 && (
        <ul role="list" aria-label="Recent mail that fits" className={styles.matches}>
          {data.items.map((match) => (
            <Match key={match.id} match={match} />
          ))}
        </ul>
      )}
    </div>
  );
}

function Match({ match }: { match: Schemas["FilterMatchOut"] }) {
  const { id, subject, sender, date, excerpt, start, end } = match;
  // Places are counted in characters as people count them, not in halves of them.
  const letters = Array.from(excerpt);
  const part = (from: number, to?: number) => letters.slice(from, to).join("");
  return (
    <li>
      <span className={styles.about}>
        <TextLink to="/mail" search={{ mail: id, role: "everything" }} size="sm" target="_blank">
          <Visible>{subject || "No subject"}</Visible>
        </TextLink>
        <Text span size="xs" c="dimmed" truncate>
          <Visible>{sender}</Visible>
        </Text>
        <Text span size="xs" c="dimmed" className={styles.when}>
          <When at={date} />
        </Text>
      </span>
      <span className={styles.excerpt} dir="auto">
        <Visible>{part(0, start)}</Visible>
        <mark className={styles.found}>
          <Visible>{part(start, end)}</Visible>
        </mark>
        <Visible>{part(end)}</Visible>
      </span>
    </li>
  );
}

function inWords({ looked, matched, added, dropped }: Schemas["FilterPreviewOut"]): string {
  const of = `the last ${looked.toLocaleString("en")} mails`;
  if (looked === 0) return "There is no mail yet to try it on.";
  const fits =
    matched === 0
      ? `None of ${of} fits.`
      : `${matched} of ${of} ${matched === 1 ? "fits" : "fit"}.`;
  const changes = [
    added ? `${added} that did not fit before` : "",
    dropped ? `${dropped} fit no longer` : "",
  ].filter(Boolean);
  return changes.length > 0 ? `${fits} With this change: ${changes.join(", ")}.` : fits;
}
