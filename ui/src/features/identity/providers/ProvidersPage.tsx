import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";

import { api, type Schemas } from "@/api/client";
import { Listing } from "@/components/Listing";
import { Page } from "@/components/Page";
import { Empty } from "@/components/states";
import { useDialog } from "@/routes/useDialog";

import { HowTo } from "./HowTo";
import { ProviderDialog } from "./ProviderDialog";
import { ProviderRow } from "./ProviderRow";

type Provider = Schemas["ProviderOut"];

/** The services through which people may log in. */
export function ProvidersPage() {
  const providers = api.useQuery("get", "/api/v1/login-providers");
  const [adding, { open, close }] = useDialog();
  const [editing, editor] = useDisclosure();
  const [edited, setEdited] = useState<Provider | undefined>();
  const edit = (provider: Provider) => {
    setEdited(provider);
    editor.open();
  };
  const add = (
    <Button leftSection={<IconPlus size={16} />} onClick={open}>
      Add a provider
    </Button>
  );
  const empty = (
    <Empty title="There is no log-in provider" action={add}>
      People log in with a password. Add Google, or any service that speaks OpenID Connect.
    </Empty>
  );
  return (
    <Page
      title="Log-in providers"
      description="Services through which people may log in, beside or instead of a password."
      actions={providers.data?.items.length ? add : null}
    >
      <Listing label="Log-in providers" query={providers} empty={empty}>
        {(provider) => (
          <ProviderRow key={provider.id} provider={provider} onEdit={() => edit(provider)} />
        )}
      </Listing>
      <HowTo redirectUri={providers.data?.redirectUri} />
      <ProviderDialog opened={adding} onClose={close} />
      <ProviderDialog opened={editing} onClose={editor.close} provider={edited} />
    </Page>
  );
}
