import { Button, Menu } from "@mantine/core";

import { api, type Schemas } from "@/api/client";
import { notify } from "@/components/notify";
import { useConfirm } from "@/components/useConfirm";
import { counted } from "@/features/llm/models/amounts";
import { useRefresh } from "@/live/useRefresh";

const WEEK = 7 * 86_400_000;

interface Props {
  /** The nodes that are selected. */
  ticked: string[];
  onDeleted: () => void;
}

/** Deletes what is selected, what is old, or everything; it says how much before it does. */
export function BulkDelete({ ticked, onDeleted }: Props) {
  const refresh = useRefresh();
  const { ask, dialog } = useConfirm();
  const remove = api.useMutation("post", "/api/v1/diagnostics/deletions", {
    meta: { inForm: true },
    onSuccess: async ({ runs, lines }) => {
      onDeleted();
      await refresh("diagnostics");
      const what = lines > 0 ? `${counted(runs, "run")} and ${counted(lines, "line")}` : null;
      notify.done(`The diagnostics of ${what ?? counted(runs, "run")} are deleted.`);
    },
  });
  const askFor = (title: string, body: Schemas["DiagnosticsDeletionIn"]) =>
    ask({
      title,
      body: "The lines, and what went to models and came back, are gone for good, whoever’s they are. Cases, items and transcripts stay.",
      verb: "Delete",
      run: () => remove.mutateAsync({ body }),
    });
  const old = () => new Date(Date.now() - WEEK).toISOString();
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default">Delete…</Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            disabled={ticked.length === 0}
            onClick={() =>
              askFor(`Delete the ${ticked.length} selected?`, { all: false, ids: ticked })
            }
          >
            Selected ({ticked.length})
          </Menu.Item>
          <Menu.Item
            onClick={() =>
              askFor("Delete what is older than a week?", { all: false, before: old() })
            }
          >
            Older than a week
          </Menu.Item>
          <Menu.Item onClick={() => askFor("Delete all diagnostics?", { all: true })}>
            All
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {dialog}
    </>
  );
}
