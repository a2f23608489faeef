import { Button, Code } from "@mantine/core";

import { api } from "@/api/client";
import { Listing } from "@/components/Listing";
import { Page } from "@/components/Page";
import { Section } from "@/components/Section";
import { Empty } from "@/components/states";
import { useDialog } from "@/routes/useDialog";

import { BackupDialog } from "./BackupDialog";
import { BackupRow } from "./BackupRow";
import { Schedule } from "./Schedule";
import { VaultKeys } from "./VaultKeys";

/** Copies of everything, and the keys that credentials are sealed with. */
export function BackupsPage() {
  const backups = api.useQuery("get", "/api/v1/backups");
  const [making, { open, close }] = useDialog();
  const make = <Button onClick={open}>Make a backup</Button>;
  const empty = (
    <Empty title="There is no backup yet" action={make}>
      One file holds everything, and is made while the office runs.
    </Empty>
  );
  return (
    <Page title="Backups and keys">
      <Schedule backups={backups} />
      <Section
        title="Backups"
        description={
          <>
            They lie in the folder <Code>backups</Code> of the data folder. Keep copies on another
            disk. To go back to one, run <Code>bailiwick restore</Code> on the server.
          </>
        }
        actions={backups.data?.items.length ? make : null}
      >
        <Listing label="Backups" query={backups} empty={empty}>
          {(backup) => <BackupRow key={backup.name} backup={backup} />}
        </Listing>
      </Section>
      <VaultKeys />
      <BackupDialog opened={making} onClose={close} />
    </Page>
  );
}
