import { Group, Modal, Paper, Stack } from "@mantine/core";

import { api, type Schemas } from "@/api/client";
import { Fact, Facts } from "@/components/Facts";
import { StateMark } from "@/components/StateMark";
import { Loaded } from "@/components/states";
import { Untrusted } from "@/features/gate/shared/Untrusted";

import { Answers } from "./Answers";
import { Countdown } from "./Countdown";
import { useMaySend } from "./useMaySend";
import { MARKS, subjectOf } from "./words";

const LONG = 30_000;

/** A message with its text, as it goes out. */
export function LetterDialog({ id, onClose }: { id: string | undefined; onClose: () => void }) {
  const query = api.useQuery(
    "get",
    "/api/v1/outbox/{outgoing_id}",
    { params: { path: { outgoing_id: id ?? "" } } },
    { enabled: id !== undefined },
  );
  return (
    <Modal
      opened={id !== undefined}
      onClose={onClose}
      title="Mail in the outbox"
      size="lg"
      // Gone at once: while it faded, there would be nothing in it any more.
      transitionProps={{ duration: 0 }}
    >
      <Loaded query={query}>{(letter) => <Letter letter={letter} />}</Loaded>
    </Modal>
  );
}

function Letter({ letter }: { letter: Schemas["OutgoingDetail"] }) {
  const { status, sender, to, cc, bcc, attachments, text } = letter;
  const maySend = useMaySend()(letter.accountId);
  const people = Object.entries({ To: to, Cc: cc, Bcc: bcc }).filter(([, all]) => all.length > 0);
  return (
    <Stack gap="md">
      <Facts>
        <Fact name="Subject">
          <Untrusted>{subjectOf(letter)}</Untrusted>
        </Fact>
        <Fact name="State">
          <StateMark state={MARKS[status].state}>
            {status === "held" ? <Countdown until={letter.dueAt} /> : MARKS[status].words}
          </StateMark>
        </Fact>
        <Fact name="From">{sender}</Fact>
        {people.map(([name, all]) => (
          <Fact key={name} name={name}>
            {all.join(", ")}
          </Fact>
        ))}
        {attachments.length > 0 && (
          <Fact name="Attached">
            <Untrusted>{attachments.join(", ")}</Untrusted>
          </Fact>
        )}
      </Facts>
      <Paper withBorder radius="md" px="md" py="sm" role="group" aria-label="Text">
        <Untrusted most={LONG}>{text || "(no text)"}</Untrusted>
      </Paper>
      {maySend && (
        <Group justify="flex-end" gap="xs">
          <Answers outgoing={letter} />
        </Group>
      )}
    </Stack>
  );
}
