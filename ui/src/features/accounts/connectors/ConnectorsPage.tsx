import { Switch } from "@mantine/core";

import { api } from "@/api/client";
import { Listing } from "@/components/Listing";
import { notify } from "@/components/notify";
import { Page } from "@/components/Page";
import { Row } from "@/components/Rows";
import { Section } from "@/components/Section";
import { StateMark } from "@/components/StateMark";
import { Empty } from "@/components/states";
import { TextLink } from "@/components/TextLink";
import { useRefresh } from "@/live/useRefresh";

import { CATEGORIES, CONNECTOR, type Connector, CONNECTORS } from "../words";
import { Active } from "./Active";

const DESCRIPTION =
  "What speaks to mail providers and the like. Each reaches the hosts that it names and nothing else, and is handed the secrets of its own accounts alone.";

/** The connectors of this office. */
export function ConnectorsPage() {
  const connectors = api.useQuery("get", CONNECTORS);
  return (
    <Page title="Connectors" description={DESCRIPTION}>
      <Section title="Installed">
        <Listing
          label="Connectors"
          query={connectors}
          expected={4}
          empty={<Empty title="No connector is installed" />}
        >
          {(connector) => <ConnectorRow key={connector.name} connector={connector} />}
        </Listing>
      </Section>
      {connectors.data && <Active found={connectors.data} />}
    </Page>
  );
}

function ConnectorRow({ connector }: { connector: Connector }) {
  const { name, title, summary, categories, hosts, enabled, isConfigured, version } = connector;
  return (
    <Row
      title={
        <TextLink to="/settings/connectors/$connectorId" params={{ connectorId: name }} fw={500}>
          {title}
        </TextLink>
      }
      marks={
        <>
          {!enabled && <StateMark state="off">switched off</StateMark>}
          {enabled && !isConfigured && <StateMark state="waiting">needs a client ID</StateMark>}
        </>
      }
      meta={[
        summary,
        categories.map((one) => CATEGORIES[one] ?? one).join(", "),
        hosts.length > 0 && `talks to ${hosts.join(", ")}`,
        `version ${version}`,
      ]}
      actions={<OnOff connector={connector} />}
    />
  );
}

/** Whether it is used; its accounts stay, and wait. */
export function OnOff({ connector: { name, title, enabled } }: { connector: Connector }) {
  const refresh = useRefresh();
  const change = api.useMutation("patch", CONNECTOR, {
    onSuccess: () => refresh("connector", "account"),
  });
  const put = (to: boolean) => {
    const set = (value: boolean) =>
      change.mutateAsync({ params: { path: { connector_id: name } }, body: { enabled: value } });
    const said = to
      ? `${title} is switched on.`
      : `${title} is switched off. Its accounts are not used until it is on again.`;
    notify.undoable(set(to), said, () => set(!to));
  };
  return (
    <Switch
      checked={enabled}
      aria-label={`Use ${title}`}
      onChange={(event) => put(event.currentTarget.checked)}
    />
  );
}
