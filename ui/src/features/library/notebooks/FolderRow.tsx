import { Group, Menu, Switch, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";

import { api, type Schemas } from "@/api/client";
import { MoreMenu } from "@/components/MoreMenu";
import { notify } from "@/components/notify";
import { Row } from "@/components/Rows";
import { useConfirm } from "@/components/useConfirm";
import { TextLink } from "@/components/TextLink";
import { When } from "@/components/When";
import { useRefresh } from "@/live/useRefresh";

import { FolderDialog } from "./FolderDialog";
import { IndexState } from "./ScanState";

const NOTEBOOK = "/api/v1/workspaces/{workspace_id}/notebooks/{notebook_id}";

interface Props {
  folder: Schemas["NotebookOut"];
  workspaceId: string;
  manages: boolean;
  /** Whether the person may change files in it. */
  mayWrite: boolean;
}

const AT_REST = {
  sealed: "sealed with the data key",
  plain: "in plain text on the disk: there is no data key",
  yours: "yours: its files stay in plain text, as they are",
};

/** One folder: where it is, and whose words are in it. */
export function FolderRow({ folder, workspaceId, manages, mayWrite }: Props) {
  const { id, name, path, own, trusted, createdAt, atRest } = folder;
  const [renaming, { open, close }] = useDisclosure();
  return (
    <Row
      wraps
      title={name}
      meta={[
        own ? "a folder of the office's own" : (path ?? "a folder on the server's disk"),
        AT_REST[atRest],
        <When at={createdAt} prefix="opened" />,
        !manages && (trusted ? "holds your own words" : "may hold strangers' words"),
      ]}
      actions={manages && <Actions {...{ folder, workspaceId }} onRename={open} />}
    >
      <Text size="xs" c="dimmed" component="div" mt={4}>
        <IndexState workspaceId={workspaceId} notebookId={id} may={mayWrite} />
      </Text>
      <Ways name={name} workspaceId={workspaceId} />
      <FolderDialog opened={renaming} onClose={close} workspaceId={workspaceId} folder={folder} />
    </Row>
  );
}

/** What belongs to a notebook and stands elsewhere. */
function Ways({ name, workspaceId: workspace }: { name: string; workspaceId: string }) {
  return (
    <Group gap="md" mt={4} style={{ rowGap: 2 }}>
      <TextLink size="xs" to="/library" search={{ workspace, folder: name }}>
        Files
      </TextLink>
      <TextLink size="xs" to="/library" search={{ workspace, folder: `${name}/templates` }}>
        Templates
      </TextLink>
      <TextLink size="xs" to="/inbox" search={{ workspace, tab: "guidelines" }}>
        Guideline
      </TextLink>
      <TextLink size="xs" to="/inbox" search={{ workspace, tab: "settings" }}>
        Never touched by the organiser
      </TextLink>
    </Group>
  );
}

function Actions({
  folder,
  workspaceId,
  onRename,
}: Pick<Props, "folder" | "workspaceId"> & { onRename: () => void }) {
  const { id, name, own, trusted, atRest } = folder;
  const refresh = useRefresh();
  const { ask, dialog } = useConfirm();
  const params = { path: { workspace_id: workspaceId, notebook_id: id } };
  const change = api.useMutation("patch", NOTEBOOK, { onSuccess: () => refresh("notebook") });
  const shut = api.useMutation("delete", NOTEBOOK, {
    meta: { inForm: true },
    onSuccess: async () => {
      await refresh("notebook");
      notify.done(`“${name}” is closed. The folder is as it was.`);
    },
  });
  const trust = (to: boolean) => {
    const set = (value: boolean) => change.mutateAsync({ params, body: { trusted: value } });
    const said = to
      ? `What is in “${name}” counts as your own words.`
      : `What is in “${name}” may be a stranger's words.`;
    notify.undoable(set(to), said, () => set(!to));
  };
  const askToClose = () =>
    ask({
      title: `Close “${name}”?`,
      body: own
        ? `No agent reaches it any more. Its files stay on the disk, in the office's data folder, but this page cannot open them again.${atRest === "sealed" ? " They are sealed, so no other program can either: move what you need into a folder of yours first." : ""}`
        : "No agent reaches it any more. The folder and its files stay as they are. If you open it again later, nothing is known any more of whose words are in it.",
      verb: "Close the folder",
      run: () => shut.mutateAsync({ params }),
    });
  return (
    <>
      <Switch
        label="Everything in here is my own words"
        checked={trusted}
        aria-label={`Everything in ${name} is my own words`}
        onChange={(event) => trust(event.currentTarget.checked)}
      />
      <MoreMenu label={`More for ${name}`}>
        <Menu.Item onClick={onRename}>Rename</Menu.Item>
        <Menu.Item onClick={askToClose}>Close…</Menu.Item>
      </MoreMenu>
      {dialog}
    </>
  );
}
