import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";

import { api } from "@/api/client";
import { Listing } from "@/components/Listing";
import { Page } from "@/components/Page";
import { Empty } from "@/components/states";

import { useManaged } from "../useManaged";
import { ACCOUNTS } from "../words";
import { AccountRow } from "./AccountRow";
import { Arrived } from "./Arrived";
import { Fetcher } from "./Fetcher";
import { useFetching } from "./useFetching";

const DESCRIPTION =
  "Mailboxes that this office reads and sends from for you. They are yours alone until you share one. Agents reach them through the gate, and never see a password.";

/** One's own accounts, and those that others share. */
export function AccountsPage() {
  const accounts = api.useQuery("get", ACCOUNTS);
  const fetching = useFetching();
  const managed = useManaged();
  const mayConnect = managed.items.length > 0;
  const connect = (
    <Button component={Link} to="/settings/accounts/connect" leftSection={<IconPlus size={16} />}>
      Connect an account
    </Button>
  );
  const empty = (
    <Empty title="No account is connected yet" action={mayConnect && connect}>
      {mayConnect
        ? "Connect a mailbox, and its mail is fetched here. To try things out, a local mailbox needs no provider."
        : "Your role in your workspaces is to read, so you cannot connect one."}
    </Empty>
  );
  const any = Boolean(accounts.data?.items.length);
  return (
    <Page title="Accounts" description={DESCRIPTION} actions={mayConnect && any && connect}>
      <Arrived accounts={accounts.data?.items} />
      {any && <Fetcher status={fetching.data} />}
      <Listing label="Accounts" query={accounts} expected={2} empty={empty}>
        {(account) => (
          <AccountRow
            key={account.id}
            account={account}
            fetching={fetching.data?.accounts.find(({ accountId }) => accountId === account.id)}
          />
        )}
      </Listing>
    </Page>
  );
}
