import { Button, Menu } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useNavigate, useParams } from "@tanstack/react-router";

import { api, type Schemas } from "@/api/client";
import { isGone } from "@/api/problem";
import { MoreMenu } from "@/components/MoreMenu";
import { notify } from "@/components/notify";
import { Page } from "@/components/Page";
import { Loaded } from "@/components/states";
import { useConfirm } from "@/components/useConfirm";
import { TextLink } from "@/components/TextLink";
import { useRefresh } from "@/live/useRefresh";

import { Members } from "./Members";
import { roleName } from "./roles";
import { WorkspaceDialog } from "./WorkspaceDialog";

/** One workspace: its name and its members. */
export function WorkspacePage() {
  const { workspaceId } = useParams({ from: "/shell/settings/workspaces/$workspaceId" });
  const path = { workspace_id: workspaceId };
  const workspace = api.useQuery("get", "/api/v1/workspaces/{workspace_id}", { params: { path } });
  const { data, error } = workspace;
  if (!data || isGone(error)) {
    return (
      <Page title="Workspace" description={<AllWorkspaces />}>
        <Loaded query={workspace}>{() => null}</Loaded>
      </Page>
    );
  }
  return (
    <Page
      title={data.name}
      description={
        <>
          <AllWorkspaces />
          {` · Your role: ${roleName(data.role).toLowerCase()}`}
        </>
      }
      actions={data.role === "admin" && <WorkspaceActions workspace={data} />}
    >
      <Members workspaceId={data.id} manages={data.role === "admin"} />
    </Page>
  );
}

function AllWorkspaces() {
  return (
    <TextLink to="/settings/workspaces" size="sm">
      All workspaces
    </TextLink>
  );
}

function WorkspaceActions({ workspace }: { workspace: Schemas["WorkspaceOut"] }) {
  const navigate = useNavigate();
  const refresh = useRefresh();
  const [renaming, { open, close }] = useDisclosure();
  const { ask, dialog } = useConfirm();
  const remove = api.useMutation("delete", "/api/v1/workspaces/{workspace_id}", {
    meta: { inForm: true },
    onSuccess: async () => {
      await navigate({ to: "/settings/workspaces" });
      await refresh("workspace");
      notify.done(`“${workspace.name}” is deleted.`);
    },
  });
  const askToDelete = () =>
    ask({
      title: `Delete “${workspace.name}”?`,
      body: "The workspace and everything in it is deleted for all of its members. Only a backup can bring it back.",
      verb: "Delete the workspace",
      run: () => remove.mutateAsync({ params: { path: { workspace_id: workspace.id } } }),
    });
  return (
    <>
      <Button variant="default" onClick={open}>
        Rename
      </Button>
      <MoreMenu label={`More for ${workspace.name}`}>
        <Menu.Item onClick={askToDelete}>Delete the workspace…</Menu.Item>
      </MoreMenu>
      <WorkspaceDialog opened={renaming} onClose={close} workspace={workspace} />
      {dialog}
    </>
  );
}
