import { Code, Text } from "@mantine/core";

import { api, type Schemas } from "@/api/client";
import { Fact, Facts } from "@/components/Facts";
import { Section } from "@/components/Section";
import { StateMark } from "@/components/StateMark";
import { Loaded, Loading } from "@/components/states";
import { When } from "@/components/When";

type Status = Schemas["StatusOut"];

/** How the installation is set up, in plain words. */
export function StatusCard() {
  const status = api.useQuery("get", "/api/v1/status");
  return (
    <Section title="This office">
      <Loaded query={status} loading={<Loading rows={3} />}>
        {(data) => <StatusFacts status={data} />}
      </Loaded>
    </Section>
  );
}

function StatusFacts({ status }: { status: Status }) {
  return (
    <Facts>
      <Fact name="Version">
        {status.version}, <When at={status.startedAt} prefix="started" />
      </Fact>
      <Fact name="Database">
        {status.database === "sqlite" ? "SQLite files in the data folder" : "PostgreSQL"}
      </Fact>
      <Fact name="Encryption">
        <Encryption status={status} />
      </Fact>
      {status.dataFolder && (
        <Fact name="Data folder">
          <Code>{status.dataFolder}</Code>
        </Fact>
      )}
      {status.vaultKey && <Fact name="Sealing key">{status.vaultKey}</Fact>}
    </Facts>
  );
}

function Encryption({ status }: { status: Status }) {
  switch (status.encryption) {
    case "on":
      return <StateMark state="ok">On: databases and files are encrypted on disk</StateMark>;
    case "operator":
      return <>On PostgreSQL it is done by the disk or the cloud volume, by whoever runs it</>;
    case "off":
      return (
        <>
          <StateMark state="warning">Off</StateMark>
          <Text size="sm" c="dimmed">
            Whoever can read the disk can read this office. To switch it on, set{" "}
            <Code>BAILIWICK_DATA_KEY</Code> on the server; docs/keys.md says how.
          </Text>
        </>
      );
  }
}
