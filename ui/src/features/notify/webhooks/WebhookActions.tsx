import { Button, Menu } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";

import { api, type Schemas } from "@/api/client";
import { MoreMenu } from "@/components/MoreMenu";
import { notify } from "@/components/notify";
import { useConfirm } from "@/components/useConfirm";
import { useRefresh } from "@/live/useRefresh";

import { NewSecret } from "./NewSecret";
import { useSwitch } from "./useSwitch";
import { WebhookDialog } from "./WebhookDialog";

/** What one does with a webhook. */
export function WebhookActions({ webhook }: { webhook: Schemas["WebhookOut"] }) {
  const { name, active } = webhook;
  const navigate = useNavigate();
  const refresh = useRefresh();
  const [editing, editor] = useDisclosure();
  const [secret, setSecret] = useState<string | null>(null);
  const { ask, dialog } = useConfirm();
  const params = { path: { webhook_id: webhook.id } };
  const switchTo = useSwitch(webhook);
  const test = api.useMutation("post", "/api/v1/webhooks/{webhook_id}/test", {
    onSuccess: () => refresh("webhook"),
  });
  const renew = api.useMutation("post", "/api/v1/webhooks/{webhook_id}/secret", {
    meta: { inForm: true },
    onSuccess: (made) => setSecret(made.secret),
  });
  const remove = api.useMutation("delete", "/api/v1/webhooks/{webhook_id}", {
    meta: { inForm: true },
    onSuccess: async () => {
      await navigate({ to: "/settings/webhooks" });
      await refresh("webhook");
      notify.done(`“${name}” is deleted.`);
    },
  });
  const askToRenew = () =>
    ask({
      title: `A new secret for “${name}”?`,
      body: "Deliveries are signed with the new one at once, and with the old one too for another 24 hours. Give the new one to the program that receives before then.",
      verb: "Make a new secret",
      run: () => renew.mutateAsync({ params }),
    });
  const askToDelete = () =>
    ask({
      title: `Delete “${name}”?`,
      body: "Nothing more is sent there, and the list of what was sent is deleted too. To stop it for a while, switch it off instead.",
      verb: "Delete the webhook",
      run: () => remove.mutateAsync({ params }),
    });
  return (
    <>
      <Button
        variant="default"
        loading={test.isPending}
        disabled={!active}
        onClick={() => test.mutate({ params })}
      >
        Send a test
      </Button>
      <Button variant="default" onClick={editor.open}>
        Edit
      </Button>
      <MoreMenu label={`More for ${name}`}>
        <Menu.Item onClick={() => switchTo(!active)}>
          {active ? "Switch off" : "Switch on"}
        </Menu.Item>
        <Menu.Item onClick={askToRenew}>New secret…</Menu.Item>
        <Menu.Item onClick={askToDelete}>Delete…</Menu.Item>
      </MoreMenu>
      <WebhookDialog opened={editing} onClose={editor.close} webhook={webhook} />
      <NewSecret name={name} secret={secret} onClose={() => setSecret(null)} />
      {dialog}
    </>
  );
}
