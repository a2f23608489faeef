import { Menu } from "@mantine/core";

import { api } from "@/api/client";
import { MoreMenu } from "@/components/MoreMenu";
import { notify } from "@/components/notify";
import { useConfirm } from "@/components/useConfirm";
import { useRefresh } from "@/live/useRefresh";

import { switched } from "./modelForm";
import type { Model } from "./words";

interface Props {
  model: Model;
  models: Model[];
  onEdit: () => void;
}

const url = "/api/v1/models/{model_id}" as const;

/** What one does with a model. The built-in one can only be made the default. */
export function ModelActions({ model, models, onEdit }: Props) {
  const { id, name, enabled, origin, isDefault } = model;
  const refresh = useRefresh();
  const { ask, dialog } = useConfirm();
  const onSuccess = () => refresh("model");
  const change = api.useMutation("put", url, { onSuccess });
  const choose = api.useMutation("post", "/api/v1/models/{model_id}/default", { onSuccess });
  const remove = api.useMutation("delete", url, { meta: { inForm: true }, onSuccess });

  const switchTo = (to: boolean) => {
    const set = (value: boolean) =>
      change.mutateAsync({ params: { path: { model_id: id } }, body: switched(model, value) });
    notify.undoable(set(to), `“${name}” is switched ${to ? "on" : "off"}.`, () => set(!to));
  };
  const makeDefault = () => {
    const before = models.find((other) => other.isDefault);
    const set = (one: string) => choose.mutateAsync({ params: { path: { model_id: one } } });
    notify.undoable(set(id), `“${name}” is the default now.`, () => set(before?.id ?? id));
  };
  const askToDelete = () =>
    ask({
      title: `Delete “${name}”?`,
      body: "Its key is forgotten. Agents that name it cannot work until they get another model. To stop its use for a while, switch it off instead.",
      verb: "Delete the model",
      run: () => remove.mutateAsync({ params: { path: { model_id: id } } }),
    });
  const builtIn = origin === "builtin";
  if (builtIn && isDefault) return null;
  return (
    <>
      <MoreMenu label={`More for ${name}`}>
        {!builtIn && <Menu.Item onClick={onEdit}>Edit</Menu.Item>}
        {!isDefault && enabled && <Menu.Item onClick={makeDefault}>Make it the default</Menu.Item>}
        {!builtIn && (
          <Menu.Item onClick={() => switchTo(!enabled)}>
            {enabled ? "Switch off" : "Switch on"}
          </Menu.Item>
        )}
        {!builtIn && <Menu.Item onClick={askToDelete}>Delete…</Menu.Item>}
      </MoreMenu>
      {dialog}
    </>
  );
}
