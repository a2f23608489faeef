import { Rows } from "@/components/Rows";
import { Section } from "@/components/Section";

import { EntryRow } from "./EntryRow";
import type { Entry } from "./words";

/** The other lines about the same call: what was about to be done, and what came of it. */
export function Related({ entries }: { entries: Entry[] }) {
  return (
    <Section title="About the same call">
      <Rows label="About the same call">
        {entries.map((entry) => (
          <EntryRow key={entry.id} entry={entry} />
        ))}
      </Rows>
    </Section>
  );
}
