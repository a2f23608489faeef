import { useSearch } from "@tanstack/react-router";

import { Listing } from "@/components/Listing";
import { Page } from "@/components/Page";
import { Rows } from "@/components/Rows";
import { Section } from "@/components/Section";
import { Empty } from "@/components/states";
import { useDialog } from "@/routes/useDialog";

import { Ended } from "./Ended";
import { LetterDialog } from "./LetterDialog";
import { OutgoingRow } from "./OutgoingRow";
import { useOutgoing } from "./useOutgoing";
import type { Status } from "./words";

const DESCRIPTION =
  "Mail waits here for a moment before it goes out, so that you can take it back. Each message is handed over once.";
const UNKNOWN =
  "The connection broke while these were handed over. Look into the Sent folder at the provider. If a message is there, say that it was sent: nothing more is done. If it is not, send it again: it goes out at once, and if it had gone out after all, people get it twice.";

/** Mail on its way out. */
export function OutboxPage() {
  const { dialog } = useSearch({ strict: false });
  const [, { close }] = useDialog();
  return (
    <Page title="Outbox" description={DESCRIPTION}>
      <Some status="unknown" title="Nobody can tell whether it went out" description={UNKNOWN} />
      <Some
        status="failed"
        title="Could not be sent"
        description="Nobody got these. They are not tried again by themselves."
      />
      <Some status="sending" title="Being sent" />
      <Held />
      <Ended />
      <LetterDialog id={dialog?.startsWith("out-") ? dialog : undefined} onClose={close} />
    </Page>
  );
}

interface SomeProps {
  status: Status;
  title: string;
  description?: string;
}

/** Those that stand so, if there are any. What cannot be read is said under "Waiting". */
function Some({ status, title, description }: SomeProps) {
  const { data } = useOutgoing(status);
  if (!data?.items.length) return null;
  return (
    <Section title={title} description={description}>
      <Rows label={title}>
        {data.items.map((outgoing) => (
          <OutgoingRow key={outgoing.id} outgoing={outgoing} />
        ))}
      </Rows>
    </Section>
  );
}

function Held() {
  const held = useOutgoing("held");
  return (
    <Section title="Waiting to go out">
      <Listing
        label="Waiting to go out"
        query={held}
        expected={1}
        empty={
          <Empty title="Nothing waits">
            What you or your agents send shows up here until it is gone.
          </Empty>
        }
      >
        {(outgoing) => <OutgoingRow key={outgoing.id} outgoing={outgoing} />}
      </Listing>
    </Section>
  );
}
