import { Button, Menu } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";

import { MoreMenu } from "@/components/MoreMenu";

import { AccountDialog } from "../edit/AccountDialog";
import { DisconnectDialog } from "../edit/DisconnectDialog";
import { PermissionsDialog } from "../edit/PermissionsDialog";
import { ShareDialog } from "../edit/ShareDialog";
import { leaveFor } from "../leaveFor";
import type { Account, Connector } from "../words";
import { useAccountActions } from "./useAccountActions";
import type { Probe } from "./useProbe";

interface Props {
  account: Account;
  connector: Connector | undefined;
  probe: Probe;
  onRenew: () => void;
}

/** What one does with an account; with whom it is shared to read, they may see whether it works. */
export function AccountActions({ account, connector, probe, onRenew }: Props) {
  const { label, right, isPrimary, enabled, authorizeUrl, categories } = account;
  const { fetchNow, makePrimary, switchTo } = useAccountActions(account);
  const [editing, editor] = useDisclosure();
  const [choosing, chooser] = useDisclosure();
  const [leaving, leaver] = useDisclosure();
  const [sharing, sharer] = useDisclosure();
  const hasForm = Object.keys(connector?.settingsForm.properties ?? {}).length > 0;
  return (
    <>
      {right !== "read" && enabled && categories.includes("mail") && (
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
      {right === "own" && (
        <>
          <MoreMenu label={`More for ${label}`}>
            <Menu.Item onClick={editor.open}>Edit</Menu.Item>
            <Menu.Item onClick={sharer.open}>Share…</Menu.Item>
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
          <ShareDialog opened={sharing} onClose={sharer.close} account={account} />
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
