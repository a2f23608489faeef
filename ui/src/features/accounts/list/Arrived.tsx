import { Alert } from "@mantine/core";
import { IconAlertCircle, IconCircleCheck } from "@tabler/icons-react";
import { useNavigate, useSearch } from "@tanstack/react-router";

import { api } from "@/api/client";
import { useSaid } from "@/api/said";

import { type Account, CONNECTORS } from "../words";

const PLAIN = { message: { color: "var(--mantine-color-text)" } };

/** What came of a visit at the provider, from which the browser just came back. */
export function Arrived({ accounts }: { accounts: Account[] | undefined }) {
  const { connected, without } = useSearch({ from: "/shell/settings/accounts" });
  const [problem, forgetProblem] = useSaid();
  const navigate = useNavigate();
  const forget = () => {
    forgetProblem();
    void navigate({ to: "/settings/accounts", search: {}, replace: true });
  };
  const account = accounts?.find(({ id }) => id === connected);
  const shared = {
    mb: "md",
    variant: "default",
    withCloseButton: true,
    closeButtonLabel: "Close the notice",
    onClose: forget,
    styles: PLAIN,
  } as const;
  if (problem) {
    return (
      <Alert
        {...shared}
        role="alert"
        title="That did not work"
        icon={<IconAlertCircle size={18} />}
      >
        {problem}
      </Alert>
    );
  }
  if (!account) return null;
  return (
    <Alert
      {...shared}
      role="status"
      title={`${account.label} is connected`}
      icon={<IconCircleCheck size={18} />}
    >
      Its mail is being fetched. <Without account={account} names={without} />
    </Alert>
  );
}

function Without({ account, names }: { account: Account; names: string | undefined }) {
  const { data } = api.useQuery("get", CONNECTORS, {}, { enabled: Boolean(names) });
  const connector = data?.items.find(({ name }) => name === account.connector);
  const titles = names
    ?.split(",")
    .map((name) => connector?.permissions.find((one) => one.name === name)?.title)
    .filter(Boolean);
  if (!titles?.length) return null;
  return (
    <>
      You did not allow this at {account.connectorTitle}: {titles.join(", ")}. It stays off until
      you authorise the account again.
    </>
  );
}
