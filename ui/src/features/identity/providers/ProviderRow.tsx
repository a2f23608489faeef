import { Button, Menu } from "@mantine/core";

import { api, type Schemas } from "@/api/client";
import { MoreMenu } from "@/components/MoreMenu";
import { notify } from "@/components/notify";
import { Row } from "@/components/Rows";
import { StateMark } from "@/components/StateMark";
import { useConfirm } from "@/components/useConfirm";
import { useRefresh } from "@/live/useRefresh";

interface Props {
  provider: Schemas["ProviderOut"];
  onEdit: () => void;
}

export function ProviderRow({ provider, onEdit }: Props) {
  const refresh = useRefresh();
  const { ask, dialog } = useConfirm();
  const params = { path: { provider_id: provider.id } };
  const onSuccess = () => refresh("provider");
  const url = "/api/v1/login-providers/{provider_id}" as const;
  const change = api.useMutation("patch", url, { onSuccess });
  const switchTo = (enabled: boolean) => {
    const back = () => change.mutateAsync({ params, body: { enabled: !enabled } });
    const said = `${provider.name} is switched ${enabled ? "on" : "off"}.`;
    notify.undoable(change.mutateAsync({ params, body: { enabled } }), said, back);
  };
  const remove = api.useMutation("delete", url, { meta: { inForm: true }, onSuccess });
  const askToDelete = () =>
    ask({
      title: `Delete “${provider.name}”?`,
      body: "Nobody can log in through it any more. People keep their accounts; those without a password need a password link.",
      verb: "Delete the provider",
      run: () => remove.mutateAsync({ params }),
    });
  return (
    <Row
      wraps
      title={provider.name}
      marks={
        <StateMark state={provider.enabled ? "ok" : "off"}>
          {provider.enabled ? "offered" : "switched off"}
        </StateMark>
      }
      meta={[
        provider.issuer,
        provider.createUsers ? "lets new people in" : "for people who were invited",
        provider.allowedDomains.length > 0 && `only ${provider.allowedDomains.join(", ")}`,
        !provider.hasClientSecret && "no client secret",
      ]}
      actions={
        <>
          <Button size="xs" variant="default" onClick={onEdit} aria-label={`Edit ${provider.name}`}>
            Edit
          </Button>
          <MoreMenu label={`More for ${provider.name}`}>
            <Menu.Item onClick={() => switchTo(!provider.enabled)}>
              {provider.enabled ? "Switch off" : "Switch on"}
            </Menu.Item>
            <Menu.Item onClick={askToDelete}>Delete…</Menu.Item>
          </MoreMenu>
          {dialog}
        </>
      }
    />
  );
}
