import { Button, FileButton, Group, NativeSelect } from "@mantine/core";
import { IconUpload } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";

import { api, http } from "@/api/client";
import { detailOf } from "@/api/problem";
import { notify } from "@/components/notify";
import { useRefresh } from "@/live/useRefresh";

import styles from "./Papers.module.css";
import { papersInWords } from "./words";

/** Takes files that are dropped on it or chosen, and puts them into the inbox of a notebook. */
export function Upload({ workspaceId, children }: { workspaceId: string; children: ReactNode }) {
  const notebooks = api.useQuery("get", "/api/v1/workspaces/{workspace_id}/notebooks", {
    params: { path: { workspace_id: workspaceId } },
  });
  const names = notebooks.data?.items.map(({ name }) => name) ?? [];
  const [chosen, setChosen] = useState<string>();
  const [sending, setSending] = useState(false);
  const [isOver, setOver] = useState(false);
  const refresh = useRefresh();
  const notebook = chosen ?? names[0];
  const add = async (files: File[]) => {
    if (!notebook || files.length === 0) return;
    setSending(true);
    let taken = 0;
    for (const file of files) taken += Number(await put(workspaceId, notebook, file));
    setSending(false);
    if (taken > 0) notify.done(`${papersInWords(taken)} put into ${notebook}/inbox.`);
    await refresh("inbox");
  };
  return (
    <div
      className={styles.drop}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes("Files")) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        void add([...event.dataTransfer.files]);
      }}
    >
      {children}
      {notebook && (
        <Group gap="xs" mt="md">
          <FileButton multiple onChange={(files) => void add(files)}>
            {(props) => (
              <Button
                {...props}
                size="xs"
                variant="default"
                loading={sending}
                leftSection={<IconUpload size={15} />}
              >
                Add files
              </Button>
            )}
          </FileButton>
          {names.length > 1 && (
            <NativeSelect
              size="xs"
              aria-label="Into the inbox of"
              data={names}
              value={notebook}
              onChange={(event) => setChosen(event.currentTarget.value)}
            />
          )}
        </Group>
      )}
    </div>
  );
}

async function put(workspaceId: string, notebook: string, file: File): Promise<boolean> {
  const { error } = await http.PUT("/api/v1/workspaces/{workspace_id}/files/content", {
    params: {
      path: { workspace_id: workspaceId },
      query: { path: `${notebook}/inbox/${file.name}` },
    },
    // The generated type knows binary bodies as strings.
    body: file as unknown as string,
    bodySerializer: (body) => body as unknown as BodyInit,
    headers: { "Content-Type": "application/octet-stream" },
  });
  if (error) notify.failed(`${file.name} was not taken. ${detailOf(error)}`);
  return !error;
}
