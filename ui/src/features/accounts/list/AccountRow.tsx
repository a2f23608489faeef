import { useDisclosure } from "@mantine/hooks";

import { api } from "@/api/client";
import { Row } from "@/components/Rows";
import { StateMark, Tag } from "@/components/StateMark";
import { When } from "@/components/When";
import { useWorkspaceName } from "@/features/gate/shared/useWorkspaces";

import { CredentialsDialog } from "../edit/CredentialsDialog";
import {
  type Account,
  CONNECTORS,
  counted,
  type Fetching,
  needsPerson,
  permissionsInWords,
} from "../words";
import { AccountActions } from "./AccountActions";
import { Probed } from "./Probed";
import { Trouble } from "./Trouble";
import { useProbe } from "./useProbe";

interface Props {
  account: Account;
  fetching: Fetching | undefined;
}

const AT_REST = {
  sealed: "kept by the office, sealed with the data key",
  plain: "kept by the office in plain text: there is no data key",
  yours: "in a folder of yours, which stays in plain text",
};

/** An account: whose, how it stands, and what is fetched from it. */
export function AccountRow({ account, fetching }: Props) {
  const { label, address, isPrimary, connectorTitle, workspaceId, right, ownerName } = account;
  const { data: workspaces } = api.useQuery("get", "/api/v1/workspaces");
  const { data } = api.useQuery("get", CONNECTORS);
  const connector = data?.items.find(({ name }) => name === account.connector);
  const nameOf = useWorkspaceName();
  const probe = useProbe(account);
  const [renewing, renewal] = useDisclosure();
  const used = permissionsInWords(account, connector);
  return (
    <Row
      wraps
      title={label}
      marks={
        <>
          {isPrimary && right === "own" && <Tag>primary</Tag>}
          {right !== "own" && <Tag>shared</Tag>}
          <Standing account={account} />
        </>
      }
      meta={[
        address !== label && address,
        right !== "own" && `${ownerName} shares it with you to ${right}`,
        connectorTitle,
        account.atRest && AT_REST[account.atRest],
        (workspaces?.items.length ?? 0) > 1 && nameOf(workspaceId),
        used && `may: ${used.toLowerCase()}`,
        ...fetchedInWords(account, fetching),
      ]}
      actions={<AccountActions {...{ account, connector, probe }} onRenew={renewal.open} />}
    >
      <Trouble account={account} manages={right === "own"} onRenew={renewal.open} />
      <Probed probe={probe} />
      {connector && (
        <CredentialsDialog
          opened={renewing}
          onClose={renewal.close}
          account={account}
          connector={connector}
        />
      )}
    </Row>
  );
}

function Standing({ account: { problem, unusedBecause, enabled } }: { account: Account }) {
  if (!enabled) return <StateMark state="off">switched off</StateMark>;
  if (unusedBecause) return <StateMark state="off">{unusedBecause}</StateMark>;
  if (!problem) return <StateMark state="ok">connected</StateMark>;
  return needsPerson(problem) ? (
    <StateMark state="warning">needs you</StateMark>
  ) : (
    <StateMark state="retrying">does not work at the moment</StateMark>
  );
}

function fetchedInWords({ enabled }: Account, fetching: Fetching | undefined) {
  if (!fetching) return [];
  const { state, left, lastFetch, nextAt } = fetching;
  if (state === "fetching") {
    return [left ? `fetching, ${counted(left, "message")} left` : "fetching now"];
  }
  const soon = enabled && nextAt && new Date(nextAt).getTime() - Date.now() > 60_000;
  return [
    lastFetch ? <When at={lastFetch} prefix="fetched" /> : "nothing was fetched yet",
    left ? `${counted(left, "message")} still to come` : null,
    soon ? <When at={nextAt} prefix="again" /> : null,
  ];
}
