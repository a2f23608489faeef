import { Button } from "@mantine/core";
import { IconFolderOpen, IconMailPlus, IconPlayerPlay } from "@tabler/icons-react";
import type { ComponentType } from "react";

import { Row, Rows } from "@/components/Rows";
import { Section } from "@/components/Section";
import { TextLink } from "@/components/TextLink";

import { useDemoChanges } from "./useDemo";

/** Three ways to begin. */
export function StartHere({ workspaceId }: { workspaceId: string }) {
  const { add, isPending } = useDemoChanges(workspaceId);
  return (
    <Section title="Start here" description="See how it works, or bring in something of your own.">
      <Rows label="Start here">
        <Row
          leading={<Picture icon={IconPlayerPlay} />}
          title="Try with sample data"
          meta={[
            "A made-up workshop's mailbox and agents. In a minute you see mail routed, a reply that waits for you, and a poisoned mail stopped. It can be taken away again.",
          ]}
          wraps
          actions={
            <Button size="xs" loading={isPending} onClick={() => void add().catch(() => {})}>
              Try with sample data
            </Button>
          }
        />
        <Row
          leading={<Picture icon={IconMailPlus} />}
          title={
            <TextLink to="/settings/accounts/connect" fw={500}>
              Connect an account
            </TextLink>
          }
          meta={["Your own mail; IMAP needs nothing but an address and a password"]}
        />
        <Row
          leading={<Picture icon={IconFolderOpen} />}
          title={
            <TextLink to="/settings/folders" fw={500}>
              Open a folder
            </TextLink>
          }
          meta={["Papers on this machine that agents may read"]}
        />
      </Rows>
    </Section>
  );
}

function Picture({ icon: Icon }: { icon: ComponentType<Record<string, unknown>> }) {
  return <Icon size={20} stroke={1.6} aria-hidden color="var(--mantine-color-dimmed)" />;
}
