import { Drawer } from "@mantine/core";

import { api } from "@/api/client";
import { Section } from "@/components/Section";
import { Loaded, LoadingForm } from "@/components/states";
import { Arguments } from "@/features/gate/shared/Arguments";
import { Sources } from "@/features/gate/shared/Sources";

import { EntryFacts, ChainFacts } from "./EntryFacts";
import { Related } from "./Related";
import { argumentsOf, type Detail, sourcesOf } from "./words";

interface Props {
  entryId: string | undefined;
  onClose: () => void;
}

/** All that one line of the audit says, beside the list. */
export function EntryPanel({ entryId, onClose }: Props) {
  return (
    <Drawer
      opened={entryId !== undefined}
      onClose={onClose}
      title="Entry of the audit"
      position="right"
      size="lg"
      closeButtonProps={{ "aria-label": "Close" }}
      attributes={{ header: { role: "presentation" } }}
      transitionProps={{ duration: 0 }}
      styles={{ title: { fontWeight: 600, fontSize: "var(--mantine-font-size-lg)" } }}
    >
      {entryId && <Entry id={entryId} />}
    </Drawer>
  );
}

function Entry({ id }: { id: string }) {
  const entry = api.useQuery(
    "get",
    "/api/v1/audit/{entry_id}",
    { params: { path: { entry_id: id } } },
    { staleTime: 5_000 },
  );
  return (
    <Loaded query={entry} loading={<LoadingForm />}>
      {(found) => <Parts entry={found} />}
    </Loaded>
  );
}

function Parts({ entry }: { entry: Detail }) {
  const sources = sourcesOf(entry);
  return (
    <>
      <Section title="What happened">
        <EntryFacts entry={entry} />
      </Section>
      <Section title="Arguments" description="With ids that mean nothing outside, and redacted">
        <Arguments values={argumentsOf(entry)} />
      </Section>
      {sources.length > 0 && (
        <Section title="What it gave the caller to read">
          <Sources sources={sources} />
        </Section>
      )}
      {entry.related.length > 0 && <Related entries={entry.related} />}
      <Section title="Its place in the chain">
        <ChainFacts entry={entry} />
      </Section>
    </>
  );
}
