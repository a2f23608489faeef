import { Anchor, List, Stack, Text } from "@mantine/core";

import { api, type Schemas } from "@/api/client";
import { CopyLine } from "@/components/CopyLine";
import { Section } from "@/components/Section";
import { Loaded, LoadingForm } from "@/components/states";

import { CONNECTOR, type ConnectorDetail } from "../words";
import { CopyText } from "./CopyText";
import { OptionsForm } from "./OptionsForm";

/** How this office gets a client ID of its own, step by step, and the fields for it. */
export function Guide({ name }: { name: string }) {
  const query = api.useQuery("get", CONNECTOR, { params: { path: { connector_id: name } } });
  return (
    <Loaded query={query} loading={<LoadingForm />}>
      {(connector) => (
        <>
          <Steps connector={connector} />
          <Section title="Client ID and secret">
            <OptionsForm key={connector.name} connector={connector} />
          </Section>
        </>
      )}
    </Loaded>
  );
}

/** The steps alone. */
export function Steps({ connector }: { connector: ConnectorDetail }) {
  if (connector.guide.length === 0) return null;
  return (
    <Section
      title="How to get a client ID"
      description={`${connector.title} lets in only programs that it knows. These steps make this office known to it, once for all accounts.`}
    >
      <List type="ordered" spacing="md" maw={620} styles={{ itemWrapper: { display: "block" } }}>
        {connector.guide.map((step) => (
          <List.Item key={step.title}>
            <Step step={step} />
          </List.Item>
        ))}
      </List>
    </Section>
  );
}

function Step({ step: { title, text, url, copyText } }: { step: Schemas["GuideStepOut"] }) {
  return (
    <Stack gap={4}>
      <Text fw={500}>{title}</Text>
      <Text size="sm">
        {text}{" "}
        {url && url.startsWith("https://") && (
          <Anchor href={url} target="_blank" rel="noreferrer" inherit underline="always">
            Open the page
          </Anchor>
        )}
      </Text>
      {copyText &&
        (copyText.includes("\n") ? (
          <CopyText label={`To paste: ${title}`} value={copyText} />
        ) : (
          <CopyLine label="To paste there" value={copyText} />
        ))}
    </Stack>
  );
}
