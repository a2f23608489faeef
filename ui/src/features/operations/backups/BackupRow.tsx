import { ActionIcon, Button, Tooltip } from "@mantine/core";
import { IconDownload, IconTrash } from "@tabler/icons-react";

import { api, type Schemas } from "@/api/client";
import { notify } from "@/components/notify";
import { Row } from "@/components/Rows";
import { useConfirm } from "@/components/useConfirm";
import { When } from "@/components/When";
import { useRefresh } from "@/live/useRefresh";

const exact = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });

/** One backup: take it along, or remove it. */
export function BackupRow({ backup }: { backup: Schemas["BackupOut"] }) {
  const { name, size, createdAt, canDownload } = backup;
  const refresh = useRefresh();
  const { ask, dialog } = useConfirm();
  const remove = api.useMutation("delete", "/api/v1/backups/{backup_name}", {
    meta: { inForm: true },
    onSuccess: async () => {
      await refresh("backup");
      notify.done("The backup is deleted.");
    },
  });
  const made = exact.format(new Date(createdAt));
  const askToDelete = () =>
    ask({
      title: `Delete the backup of ${made}?`,
      body: "The office can then no longer go back to that time, unless you keep a copy elsewhere.",
      verb: "Delete the backup",
      run: () => remove.mutateAsync({ params: { path: { backup_name: name } } }),
    });
  return (
    <Row
      wraps
      title={made}
      meta={[
        <When key="at" at={createdAt} />,
        inBytes(size),
        <code key="name">{name}</code>,
        !canDownload && "not encrypted: taken from the data folder alone",
      ]}
      actions={
        <>
          {canDownload && (
            <Button
              component="a"
              href={`/api/v1/backups/${encodeURIComponent(name)}`}
              download={name}
              size="xs"
              variant="default"
              leftSection={<IconDownload size={14} />}
              aria-label={`Download the backup of ${made}`}
            >
              Download
            </Button>
          )}
          <Tooltip label="Delete">
            <ActionIcon
              variant="subtle"
              color="gray"
              onClick={askToDelete}
              aria-label={`Delete the backup of ${made}`}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </Tooltip>
          {dialog}
        </>
      }
    />
  );
}

const bytes = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });

function inBytes(size: number): string {
  if (size < 1000) return `${size} bytes`;
  return size < 1_000_000
    ? `${bytes.format(size / 1000)} kB`
    : `${bytes.format(size / 1_000_000)} MB`;
}
