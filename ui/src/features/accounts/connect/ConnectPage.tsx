import { Button } from "@mantine/core";
import { IconArrowLeft } from "@tabler/icons-react";
import { Link, useSearch } from "@tanstack/react-router";

import { api } from "@/api/client";
import { Page } from "@/components/Page";
import { Empty, Loaded } from "@/components/states";
import { useMe } from "@/features/identity/useMe";

import { Guide } from "../connectors/Guide";
import { useManaged } from "../useManaged";
import { type Connector, CONNECTORS } from "../words";
import { Choice } from "./Choice";
import { ConnectForm } from "./ConnectForm";

/** Connects an account: which kind, and then what that kind asks for. */
export function ConnectPage() {
  const { connector: chosen } = useSearch({ from: "/shell/settings/accounts/connect" });
  const connectors = api.useQuery("get", CONNECTORS);
  const managed = useManaged();
  const connector = connectors.data?.items.find(({ name }) => name === chosen);
  const back = (
    <Button
      component={Link}
      to={connector ? "/settings/accounts/connect" : "/settings/accounts"}
      variant="default"
      leftSection={<IconArrowLeft size={16} />}
    >
      {connector ? "Another kind" : "All accounts"}
    </Button>
  );
  return (
    <Page
      title="Connect an account"
      heading={connector ? `Connect: ${connector.title}` : "Connect an account"}
      description={connector ? connector.summary : "What kind of account is it?"}
      actions={back}
    >
      <Loaded query={connectors}>
        {({ items }) => {
          if (!managed.isPending && managed.items.length === 0) {
            return (
              <Empty title="You cannot connect accounts">
                An admin of a workspace can: accounts belong to a workspace.
              </Empty>
            );
          }
          return connector ? <Step connector={connector} /> : <Choice connectors={items} />;
        }}
      </Loaded>
    </Page>
  );
}

function Step({ connector }: { connector: Connector }) {
  const { isAdmin } = useMe();
  const managed = useManaged();
  if (!connector.enabled) {
    return (
      <Empty title={`${connector.title} is switched off`}>
        {isAdmin ? "Switch it on under Connectors." : "An admin of this office can switch it on."}
      </Empty>
    );
  }
  if (connector.isConfigured) {
    if (managed.isPending) return null;
    return <ConnectForm key={connector.name} connector={connector} workspaces={managed.items} />;
  }
  return isAdmin ? (
    <Guide name={connector.name} />
  ) : (
    <Empty title={`${connector.title} is not set up yet`}>
      It needs a client ID of this office's own. Ask an admin of the office: the steps stand under
      Settings, Connectors.
    </Empty>
  );
}
