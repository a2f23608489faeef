import { Button, CloseButton, Group, Progress, Text } from "@mantine/core";

import { Visible } from "@/features/gate/shared/Untrusted";

import { folderOf, nameOf } from "../browser/browsed";
import styles from "./Upload.module.css";
import type { Upload, useUploads } from "./useUploads";

interface Props {
  held: ReturnType<typeof useUploads>;
  /** The paths that are known to be taken. */
  taken: Set<string>;
}

/** What is on its way, and what was not taken and why. */
export function UploadList({ held, taken }: Props) {
  const { uploads, keepBoth, clear } = held;
  if (uploads.length === 0) return null;
  const left = uploads.filter(({ state }) => state === "waiting" || state === "sending");
  const told = uploads.filter(({ state }) => state === "failed" || state === "asks");
  const total = uploads.reduce((sum, { file }) => sum + file.size, 0) || 1;
  const there = uploads.reduce((sum, { file, part }) => sum + file.size * part, 0);
  const now = left.find(({ state }) => state === "sending");
  return (
    <section className={styles.uploads} aria-label="Uploads">
      {left.length > 0 && (
        <div>
          <Text size="sm" role="status">
            {left.length === 1 ? "1 file" : `${left.length} files`} to go
            {now && (
              <>
                : <Visible>{nameOf(now.path)}</Visible>
              </>
            )}
          </Text>
          <Progress value={(100 * there) / total} aria-label="Sent so far" mt={4} />
        </div>
      )}
      {told.length > 0 && (
        <Group gap="xs" align="flex-start" wrap="nowrap">
          <ul className={styles.told} role="list" aria-label="Not taken">
            {told.map((upload) => (
              <Told
                key={upload.id}
                upload={upload}
                onKeepBoth={() => keepBoth(upload, folderOf(upload.path), taken)}
              />
            ))}
          </ul>
          <CloseButton size="sm" aria-label="Close the list of uploads" onClick={clear} />
        </Group>
      )}
    </section>
  );
}

function Told({ upload, onKeepBoth }: { upload: Upload; onKeepBoth: () => void }) {
  return (
    <li>
      <Text size="sm" span>
        <b>
          <Visible>{nameOf(upload.path)}</Visible>
        </b>
        : {upload.state === "asks" && "It waits for an answer. "}
        {upload.problem}
      </Text>{" "}
      {upload.isTaken && (
        <Button size="compact-xs" variant="default" onClick={onKeepBoth}>
          Keep both
        </Button>
      )}
    </li>
  );
}
