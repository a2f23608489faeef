import { api, type Schemas } from "@/api/client";
import { notify } from "@/components/notify";
import { useRefresh } from "@/live/useRefresh";

/** Switches a webhook on or off, and back again. */
export function useSwitch({ id, name }: Schemas["WebhookOut"]) {
  const refresh = useRefresh();
  const change = api.useMutation("patch", "/api/v1/webhooks/{webhook_id}", {
    onSuccess: () => refresh("webhook"),
  });
  const set = (active: boolean) => ({ params: { path: { webhook_id: id } }, body: { active } });
  return (active: boolean) => {
    const back = () => change.mutateAsync(set(!active));
    const said = `“${name}” is switched ${active ? "on" : "off"}.`;
    notify.undoable(change.mutateAsync(set(active)), said, back);
  };
}
