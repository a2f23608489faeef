import { Menu } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useState } from "react";

import { api } from "@/api/client";
import { MoreMenu } from "@/components/MoreMenu";
import { notify } from "@/components/notify";
import { useConfirm } from "@/components/useConfirm";
import { useMe } from "@/features/identity/useMe";
import { useRefresh } from "@/live/useRefresh";

import { ClientDialog } from "./ClientDialog";
import { NewToken } from "./NewToken";
import type { Client } from "./words";

const CLEAN =
  "What a program has read may have been written by strangers, with instructions hidden in it. So after such reading a person is asked before it changes anything. If you begin a new task with it, in a new conversation that holds nothing of what it read before, say so here, and it is trusted as on its first day. In the same conversation it still has those words in mind: do not say it then.";

/** What one does with a client. */
export function ClientActions({ client }: { client: Client }) {
  const { id, name, enabled, userId } = client;
  const me = useMe();
  const isOwner = userId === me.id;
  const refresh = useRefresh();
  const [editing, editor] = useDisclosure();
  const [token, setToken] = useState<string | null>(null);
  const { ask, dialog } = useConfirm();
  const params = { path: { client_id: id } };
  const told = (text: string) => ({
    meta: { inForm: true },
    onSuccess: async () => {
      notify.done(text);
      await refresh("client");
    },
  });
  const change = api.useMutation("patch", "/api/v1/clients/{client_id}", {
    onSuccess: () => refresh("client"),
  });
  const renew = api.useMutation("post", "/api/v1/clients/{client_id}/token", {
    meta: { inForm: true },
    onSuccess: (made) => setToken(made.token),
  });
  const fresh = api.useMutation(
    "post",
    "/api/v1/clients/{client_id}/fresh",
    told(`“${name}” starts clean.`),
  );
  const remove = api.useMutation(
    "delete",
    "/api/v1/clients/{client_id}",
    told(`“${name}” is deleted.`),
  );
  const switchTo = (to: boolean) => {
    const set = (value: boolean) => change.mutateAsync({ params, body: { enabled: value } });
    notify.undoable(set(to), `“${name}” is switched ${to ? "on" : "off"}.`, () => set(!to));
  };
  const askToRenew = () =>
    ask({
      title: `A new token for “${name}”?`,
      body: "The one it has stops working at once. Paste the new one where the old one was.",
      verb: "Make a new token",
      run: () => renew.mutateAsync({ params }),
    });
  const askToStartClean = () =>
    ask({
      title: `Does “${name}” begin a new task?`,
      body: CLEAN,
      verb: "It starts clean",
      run: () => fresh.mutateAsync({ params }),
    });
  const askToDelete = () =>
    ask({
      title: `Delete “${name}”?`,
      body: "Its token stops working at once. What it did stays in the audit. To stop it for a while, switch it off instead.",
      verb: "Delete the client",
      run: () => remove.mutateAsync({ params }),
    });
  return (
    <>
      <MoreMenu label={`More for ${name}`}>
        {isOwner && <Menu.Item onClick={askToStartClean}>New task: start clean…</Menu.Item>}
        {isOwner && <Menu.Item onClick={editor.open}>Edit</Menu.Item>}
        {isOwner && <Menu.Item onClick={askToRenew}>New token…</Menu.Item>}
        {(enabled || isOwner) && (
          <Menu.Item onClick={() => switchTo(!enabled)}>
            {enabled ? "Switch off" : "Switch on"}
          </Menu.Item>
        )}
        <Menu.Item onClick={askToDelete}>Delete…</Menu.Item>
      </MoreMenu>
      <ClientDialog opened={editing} onClose={editor.close} client={client} />
      <NewToken client={token ? { id, name, token } : null} onClose={() => setToken(null)} />
      {dialog}
    </>
  );
}
