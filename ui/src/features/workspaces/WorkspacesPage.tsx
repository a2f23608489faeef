import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";

import { api } from "@/api/client";
import { Listing } from "@/components/Listing";
import { Page } from "@/components/Page";
import { Row } from "@/components/Rows";
import { Empty } from "@/components/states";
import { When } from "@/components/When";
import { TextLink } from "@/components/TextLink";
import { useDialog } from "@/routes/useDialog";

import { roleName } from "./roles";
import { WorkspaceDialog } from "./WorkspaceDialog";

/** The workspaces one is a member of. */
export function WorkspacesPage() {
  const workspaces = api.useQuery("get", "/api/v1/workspaces");
  const [making, { open, close }] = useDialog();
  const add = (
    <Button leftSection={<IconPlus size={16} />} onClick={open}>
      New workspace
    </Button>
  );
  const empty = (
    <Empty title="You are in no workspace" action={add}>
      Make one, or ask the admin of a workspace to add you.
    </Empty>
  );
  return (
    <Page
      title="Workspaces"
      description="A workspace keeps people and their work together. What is in it is seen by its members only."
      actions={workspaces.data?.items.length ? add : null}
    >
      <Listing label="Workspaces" query={workspaces} empty={empty}>
        {(workspace) => (
          <Row
            key={workspace.id}
            title={
              <TextLink
                to="/settings/workspaces/$workspaceId"
                params={{ workspaceId: workspace.id }}
                fw={500}
              >
                {workspace.name}
              </TextLink>
            }
            meta={[roleName(workspace.role), <When at={workspace.createdAt} prefix="made" />]}
          />
        )}
      </Listing>
      <WorkspaceDialog opened={making} onClose={close} />
    </Page>
  );
}
