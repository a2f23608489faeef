import { Button, Text } from "@mantine/core";

import { api } from "@/api/client";
import { TextLink } from "@/components/TextLink";
import { useRefresh } from "@/live/useRefresh";

import type { Workspace } from "../browser/browsed";
import { scanInWords, scanVerb } from "./scan";

const NOTEBOOKS = "/api/v1/workspaces/{workspace_id}/notebooks";

interface Props {
  workspace: Workspace;
  notebook: string;
}

/** How far the index of the notebook that one looks at is, and the way to its settings. */
export function ScanState({ workspace, notebook }: Props) {
  const open = api.useQuery("get", NOTEBOOKS, {
    params: { path: { workspace_id: workspace.id } },
  });
  const found = open.data?.items.find(({ name }) => name === notebook);
  if (!found) return null;
  return (
    <Text size="xs" c="dimmed" px="md" pb="xs" component="div">
      <IndexState
        workspaceId={workspace.id}
        notebookId={found.id}
        may={workspace.role !== "read"}
      />{" "}
      <TextLink to="/settings/folders" size="xs">
        Notebook settings
      </TextLink>
    </Text>
  );
}

interface IndexProps {
  workspaceId: string;
  notebookId: string;
  /** Whether the person may stop it and start it. */
  may: boolean;
}

/** How far the index of a notebook is; it can be stopped and goes on where it was. */
export function IndexState({ workspaceId, notebookId, may }: IndexProps) {
  const path = { workspace_id: workspaceId, notebook_id: notebookId };
  const index = api.useQuery("get", `${NOTEBOOKS}/{notebook_id}/index`, { params: { path } });
  const refresh = useRefresh();
  const scan = api.useMutation("post", `${NOTEBOOKS}/{notebook_id}/scan`, {
    onSettled: () => refresh("notebook"),
  });
  if (!index.data) return null;
  const { action, words } = scanVerb(index.data.state);
  return (
    <>
      <span role="status">{scanInWords(index.data)}</span>{" "}
      {may && (
        <Button
          size="compact-xs"
          variant="default"
          disabled={scan.isPending}
          onClick={() => scan.mutate({ params: { path }, body: { action } })}
        >
          {words}
        </Button>
      )}
    </>
  );
}
