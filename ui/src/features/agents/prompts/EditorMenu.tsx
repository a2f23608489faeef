import { Menu } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";

import { api } from "@/api/client";
import { detailOf } from "@/api/problem";
import { MoreMenu } from "@/components/MoreMenu";
import { notify } from "@/components/notify";
import { useDraftKey } from "@/drafts/drafts";
import { useMayWrite } from "@/features/gate/shared/useWorkspaces";

import { baseOf, type Content, freeName, type Kind, type Saved, written } from "./content";
import { kept } from "./drafts";
import { useActions } from "./useActions";

/** What else one does with a prompt or a template. */
export function EditorMenu({ kind, saved }: { kind: Kind; saved: Saved }) {
  const navigate = useNavigate();
  const keyOf = useDraftKey();
  const { create, remove } = useActions(kind);
  const prompts = api.useQuery("get", "/api/v1/prompts").data?.items ?? [];
  const templates = api.useQuery("get", "/api/v1/prompt-templates").data?.items ?? [];
  const mayWrite = useMayWrite();
  const workspaceId = saved.workspaceId ?? "";
  if (!mayWrite(workspaceId)) return null;

  const open = ({ id }: Saved, as: Kind) =>
    as === "prompt"
      ? navigate({ to: "/prompts/$promptId", params: { promptId: id } })
      : navigate({ to: "/prompts/templates/$templateId", params: { templateId: id } });
  const failed = (error: unknown) => notify.failed(detailOf(error));
  const body = (as: Kind, content: Content) => {
    const taken = (as === "prompt" ? prompts : templates).filter(
      (one) => one.workspaceId === workspaceId,
    );
    const name = freeName(
      content.name.trim() || saved.name,
      taken.map((one) => one.name),
    );
    return { ...written(content), name, workspaceId };
  };
  // As it stands in the editor, with what is not saved yet.
  const now = () => kept(keyOf(saved.id)) ?? baseOf(saved).content;
  const copy = (as: Kind, said: (name: string) => string) => {
    const copying = create(body(as, now()), as);
    copying.then((made) => {
      notify.undoable(Promise.resolve(), said(made.name), async () => {
        await remove(made.id, as);
        await open(saved, kind);
      });
      void open(made, as);
    }, failed);
  };
  const del = () => {
    const gone = remove(saved.id, kind, () => navigate({ to: "/prompts" }));
    notify.undoable(gone, `“${saved.name}” is deleted.`, async () => {
      const again = { ...written(baseOf(saved).content), workspaceId };
      await create(again).then((made) => open(made, kind), failed);
    });
  };
  return (
    <MoreMenu label={`More for ${saved.name}`}>
      <Menu.Item onClick={() => copy(kind, (name) => `“${name}” is a copy.`)}>Duplicate</Menu.Item>
      {kind === "prompt" && (
        <Menu.Item onClick={() => copy("template", (name) => `“${name}” is a template now.`)}>
          Save as template
        </Menu.Item>
      )}
      <Menu.Item onClick={del}>Delete</Menu.Item>
    </MoreMenu>
  );
}
