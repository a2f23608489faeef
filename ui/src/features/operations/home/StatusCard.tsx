import { Code, Paper, Text } from "@mantine/core";
import type { ReactNode } from "react";

import { api, type Schemas } from "@/api/client";
import { Section } from "@/components/Section";
import { StateMark } from "@/components/StateMark";
import { Failed, Loading } from "@/components/states";
import { When } from "@/components/When";

import styles from "./StatusCard.module.css";

type Status = Schemas["StatusOut"];

/** How the installation is set up, in plain words. */
export function StatusCard() {
  const { data, error, refetch } = api.useQuery("get", "/api/v1/status");
  return (
    <Section title="This office">
      {data ? (
        <Paper withBorder radius="md" px="md" py="sm">
          <dl className={styles.facts}>
            <Fact name="Version">
              {data.version}, <When at={data.startedAt} prefix="started" />
            </Fact>
            <Fact name="Database">
              {data.database === "sqlite" ? "SQLite files in the data folder" : "PostgreSQL"}
            </Fact>
            <Fact name="Encryption">
              <Encryption status={data} />
            </Fact>
            {data.dataFolder && (
              <Fact name="Data folder">
                <Code>{data.dataFolder}</Code>
              </Fact>
            )}
            {data.vaultKey && <Fact name="Sealing key">{data.vaultKey}</Fact>}
          </dl>
        </Paper>
      ) : error ? (
        <Failed error={error} retry={refetch} />
      ) : (
        <Loading rows={4} />
      )}
    </Section>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
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
