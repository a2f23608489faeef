import { Button, Menu } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";

import { MoreMenu } from "@/components/MoreMenu";

import { AccountDialog } from "../edit/AccountDialog";
import { DisconnectDialog } from "../edit/DisconnectDialog";
import { PermissionsDialog } from "../edit/PermissionsDialog";
import { leaveFor } from "../leaveFor";
import type { Account, Connector } from "../words";
import { useAccountActions } from "./useAccountActions";
import type { Probe } from "./useProbe";

interface Props {
  account: Account;
  connector: Connector | undefined;
  role: "read" | "write" | "admin";
  probe: Probe;
  onRenew: () => void;
}

/** What one does with an account; those who only read may see whether it works. */
export function AccountActions({ account, connector, role, probe, onRenew }: Props) {
  const { label, isPrimary, enabled, authorizeUrl, categories } = account;
  const { fetchNow, makePrimary, switchTo } = useAccountActions(account);
  const [editing, editor] = useDisclosure();
  const [choosing, chooser] = useDisclosure();
  const [leaving, leaver] = useDisclosure();
  const manages = role === "admin";
  const hasForm = Object.keys(connector?.settingsForm.properties ?? {}).length > 0;
  return (
    <>
      {role !== "read" && enabled && categories.includes("mail") && (
        <Button
          size="xs"
          variant="default"
          loading={fetchNow.isPending}
          onClick={({ currentTarget }) => void fetchNow.run().then(() => giveBack(currentTarget))}
          aria-label={`Fetch from ${label} now`}
        >
          Fetch now
        </Button>
      )}
      <Button
        size="xs"
        variant="default"
        loading={probe.isRunning}
        onClick={({ currentTarget }) => void probe.run().then(() => giveBack(currentTarget))}
        aria-label={`Test ${label} now`}
      >
        Test now
      </Button>
      {manages && (
        <>
          <MoreMenu label={`More for ${label}`}>
            <Menu.Item onClick={editor.open}>Edit</Menu.Item>
            {!isPrimary && <Menu.Item onClick={makePrimary}>Make it the primary one</Menu.Item>}
            {connector && connector.permissions.length > 0 && (
              <Menu.Item onClick={chooser.open}>What it may be used for</Menu.Item>
            )}
            {authorizeUrl ? (
              <Menu.Item onClick={() => leaveFor(authorizeUrl)}>Re-authorise</Menu.Item>
            ) : (
              hasForm && <Menu.Item onClick={onRenew}>Servers and password</Menu.Item>
            )}
            <Menu.Item onClick={() => switchTo(!enabled)}>
              {enabled ? "Switch off" : "Switch on"}
            </Menu.Item>
            <Menu.Divider />
            <Menu.Item onClick={leaver.open}>Disconnect…</Menu.Item>
          </MoreMenu>
          <AccountDialog opened={editing} onClose={editor.close} account={account} />
          {connector && (
            <PermissionsDialog
              opened={choosing}
              onClose={chooser.close}
              account={account}
              connector={connector}
            />
          )}
          <DisconnectDialog
            opened={leaving}
            onClose={leaver.close}
            account={account}
            connector={connector}
          />
        </>
      )}
    </>
  );
}

/** While it is busy, a button cannot hold the focus. */
function giveBack(button: HTMLElement) {
  requestAnimationFrame(() => {
    if (document.activeElement === document.body) button.focus({ preventScroll: true });
  });
}
