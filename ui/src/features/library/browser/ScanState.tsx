import { Button, Text } from "@mantine/core";

import { api, type Schemas } from "@/api/client";
import { TextLink } from "@/components/TextLink";
import { useRefresh } from "@/live/useRefresh";

const NOTEBOOKS = "/api/v1/workspaces/{workspace_id}/notebooks";
const INDEX = "/api/v1/workspaces/{workspace_id}/notebooks/{notebook_id}/index";
const SCAN = "/api/v1/workspaces/{workspace_id}/notebooks/{notebook_id}/scan";

interface Props {
  workspace: Schemas["WorkspaceOut"];
  notebook: string;
}

/** How far the index of a notebook is, and how its files are on the disk. */
export function ScanState({ workspace, notebook }: Props) {
  const open = api.useQuery("get", NOTEBOOKS, {
    params: { path: { workspace_id: workspace.id } },
  });
  const found = open.data?.items.find(({ name }) => name === notebook);
  return found ? <State workspace={workspace} id={found.id} /> : null;
}

function State({ workspace, id }: { workspace: Schemas["WorkspaceOut"]; id: string }) {
  const path = { workspace_id: workspace.id, notebook_id: id };
  const index = api.useQuery("get", INDEX, { params: { path } });
  const refresh = useRefresh();
  const scan = api.useMutation("post", SCAN, { onSettled: () => refresh("notebook") });
  if (!index.data) return null;
  const { state, files, scanned, waiting, problem } = index.data;
  const isScanning = state === "running";
  const words = problem
    ? problem
    : isScanning
      ? `Looking through the folder: ${scanned} files so far.`
      : `${files} files in the index${waiting > 0 ? `, ${waiting} still to be read` : ""}.`;
  return (
    <Text size="xs" c={problem ? "red" : "dimmed"} px="md" pb="xs" role="status">
      {words}{" "}
      {workspace.role !== "read" && (
        <Button
          size="compact-xs"
          variant="subtle"
          color="gray"
          disabled={scan.isPending}
          onClick={() =>
            scan.mutate({ params: { path }, body: { action: isScanning ? "stop" : "start" } })
          }
        >
          {isScanning ? "Stop" : "Look again"}
        </Button>
      )}{" "}
      <TextLink to="/settings/folders">Settings</TextLink>
    </Text>
  );
}
