import { NativeSelect } from "@mantine/core";
import { useState } from "react";

import { api } from "@/api/client";
import { byPage } from "@/api/queries";
import { PagedListing } from "@/components/Listing";
import { Section } from "@/components/Section";
import { Empty } from "@/components/states";

import { OutgoingRow } from "./OutgoingRow";
import { OUTBOX } from "./words";

const KINDS = [
  { value: "sent", label: "Sent" },
  { value: "cancelled", label: "Taken back" },
] as const;

/** What went out, or was taken back. */
export function Ended() {
  const [status, setStatus] = useState<"sent" | "cancelled">("sent");
  const query = { status, PageSize: 20 };
  const ended = api.useInfiniteQuery("get", OUTBOX, { params: { query } }, byPage);
  const empty =
    status === "sent" ? (
      <Empty title="Nothing was sent from here yet" />
    ) : (
      <Empty title="Nothing was taken back" />
    );
  return (
    <Section
      title="Done"
      actions={
        <NativeSelect
          size="xs"
          aria-label="What is shown"
          data={[...KINDS]}
          value={status}
          onChange={(event) => setStatus(event.currentTarget.value as typeof status)}
        />
      }
    >
      <PagedListing label="Done" query={ended} empty={empty}>
        {(outgoing) => <OutgoingRow key={outgoing.id} outgoing={outgoing} />}
      </PagedListing>
    </Section>
  );
}
