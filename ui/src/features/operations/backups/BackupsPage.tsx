import { Button, Code } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";

import { api } from "@/api/client";
import { Listing } from "@/components/Listing";
import { Page } from "@/components/Page";
import { Row } from "@/components/Rows";
import { Section } from "@/components/Section";
import { Empty } from "@/components/states";
import { When } from "@/components/When";

import { BackupDialog } from "./BackupDialog";
import { VaultKeys } from "./VaultKeys";

/** Copies of everything, and the keys that credentials are sealed with. */
export function BackupsPage() {
  const backups = api.useQuery("get", "/api/v1/backups");
  const [making, { open, close }] = useDisclosure();
  const make = <Button onClick={open}>Make a backup</Button>;
  const empty = (
    <Empty title="There is no backup yet" action={make}>
      One file holds everything, and is made while the office runs.
    </Empty>
  );
  return (
    <Page title="Backups and keys">
      <Section
        title="Backups"
        description={
          <>
            They lie in the folder <Code>backups</Code> of the data folder. Copy them to another
            disk. To go back to one, run <Code>bailiwick restore</Code> on the server.
          </>
        }
        actions={backups.data?.items.length ? make : null}
      >
        <Listing label="Backups" query={backups} empty={empty}>
          {({ name, size, createdAt }) => (
            <Row
              key={name}
              title={<When at={createdAt} prefix="Made" />}
              meta={[
                inBytes(size),
                <span style={{ fontFamily: "var(--mantine-font-family-monospace)" }}>{name}</span>,
              ]}
            />
          )}
        </Listing>
      </Section>
      <VaultKeys />
      <BackupDialog opened={making} onClose={close} />
    </Page>
  );
}

const bytes = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });

function inBytes(size: number): string {
  if (size < 1000) return `${size} bytes`;
  return size < 1_000_000
    ? `${bytes.format(size / 1000)} kB`
    : `${bytes.format(size / 1_000_000)} MB`;
}
