import { Row, Rows } from "@/components/Rows";
import { StateMark } from "@/components/StateMark";
import { Empty } from "@/components/states";
import { TextLink } from "@/components/TextLink";

import type { Connector } from "../words";

/** The kinds of accounts that there are. */
export function Choice({ connectors }: { connectors: Connector[] }) {
  const offered = connectors.filter(({ enabled }) => enabled);
  if (offered.length === 0) {
    return <Empty title="Every connector is switched off">An admin can switch one on.</Empty>;
  }
  return (
    <Rows label="Kinds of accounts">
      {offered.map(({ name, title, summary, usesOauth, isConfigured }) => (
        <Row
          key={name}
          title={
            <TextLink to="/settings/accounts/connect" search={{ connector: name }} fw={500}>
              {title}
            </TextLink>
          }
          marks={!isConfigured && <StateMark state="waiting">to be set up first</StateMark>}
          meta={[summary, usesOauth && "You sign in at the provider, and no password comes here"]}
        />
      ))}
    </Rows>
  );
}
