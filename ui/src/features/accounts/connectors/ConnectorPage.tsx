import { List, Text } from "@mantine/core";
import { useParams } from "@tanstack/react-router";

import { api } from "@/api/client";
import { isGone } from "@/api/problem";
import { Fact, Facts } from "@/components/Facts";
import { Page } from "@/components/Page";
import { Section } from "@/components/Section";
import { StateMark } from "@/components/StateMark";
import { Loaded } from "@/components/states";
import { TextLink } from "@/components/TextLink";

import { CATEGORIES, CONNECTOR, type ConnectorDetail } from "../words";
import { OnOff } from "./ConnectorsPage";
import { Steps } from "./Guide";
import { OptionsForm } from "./OptionsForm";

/** One connector: where it goes, what it may ask for, and its own settings. */
export function ConnectorPage() {
  const { connectorId } = useParams({ from: "/shell/settings/connectors/$connectorId" });
  const query = api.useQuery("get", CONNECTOR, {
    params: { path: { connector_id: connectorId } },
  });
  const { data, error } = query;
  const there = data && !isGone(error) ? data : undefined;
  return (
    <Page
      title={there?.title ?? "Connector"}
      description={
        <>
          {there?.summary}{" "}
          <TextLink to="/settings/connectors" size="sm">
            All connectors
          </TextLink>
        </>
      }
      actions={there && <OnOff connector={there} />}
    >
      <Loaded query={query}>{(connector) => <Parts connector={connector} />}</Loaded>
    </Page>
  );
}

function Parts({ connector }: { connector: ConnectorDetail }) {
  const hasOptions = Object.keys(connector.optionsForm.properties ?? {}).length > 0;
  return (
    <>
      <Section title="How it stands">
        <Stands connector={connector} />
      </Section>
      <Steps connector={connector} />
      {hasOptions && (
        <Section title="Settings">
          <OptionsForm key={connector.name} connector={connector} />
        </Section>
      )}
    </>
  );
}

function Stands({ connector }: { connector: ConnectorDetail }) {
  const { enabled, isConfigured, categories, hosts, permissions, version } = connector;
  return (
    <Facts>
      <Fact name="State">
        {!enabled && <StateMark state="off">switched off</StateMark>}
        {enabled && !isConfigured && <StateMark state="waiting">needs a client ID</StateMark>}
        {enabled && isConfigured && <StateMark state="ok">ready</StateMark>}
      </Fact>
      <Fact name="For">{categories.map((one) => CATEGORIES[one] ?? one).join(", ")}</Fact>
      <Fact name="Talks to">
        {hosts.length > 0 ? hosts.join(", ") : "only the servers that an account names, if any"}
      </Fact>
      {permissions.length > 0 && (
        <Fact name="May ask for">
          <List size="sm" listStyleType="none">
            {permissions.map(({ name, title, scopes, required }) => (
              <List.Item key={name}>
                {title}
                {required && ", always"}
                <Text size="xs" c="dimmed">
                  {scopes.join(" ")}
                </Text>
              </List.Item>
            ))}
          </List>
        </Fact>
      )}
      <Fact name="Version">{version}</Fact>
    </Facts>
  );
}
