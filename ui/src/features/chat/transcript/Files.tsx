import { Anchor } from "@mantine/core";
import { IconFileText } from "@tabler/icons-react";

import { Visible } from "@/features/gate/shared/Untrusted";

import styles from "./Files.module.css";
import type { Message } from "./useSession";

type SessionFile = Message["files"][number];

const SAW: Record<NonNullable<SessionFile["saw"]>, string> = {
  image: "The model saw the picture",
  document: "The model saw the document",
  text: "The model got its text",
  redacted: "Something in it is redacted: the model got its text without that",
  nothing: "The model got its name alone: it sees no pictures, and there is no text in it",
};

interface Props {
  sessionId: string;
  message: Message;
}

/** The files of a message, and what the model saw of each. */
export function Files({ sessionId, message: { files, position } }: Props) {
  if (files.length === 0) return null;
  return (
    <ul className={styles.files} role="list" aria-label="Files">
      {files.map((file, number) => (
        <li key={number} className={styles.file}>
          <Anchor
            href={`/api/v1/sessions/${sessionId}/files/${position}/${number}`}
            target="_blank"
            rel="noreferrer"
            size="sm"
          >
            <Picture sessionId={sessionId} file={file} place={`${position}/${number}`} />
            <Visible>{file.name}</Visible>
          </Anchor>
          {file.saw && <span className={styles.saw}>{SAW[file.saw]}</span>}
        </li>
      ))}
    </ul>
  );
}

function Picture({
  sessionId,
  file,
  place,
}: {
  sessionId: string;
  file: SessionFile;
  place: string;
}) {
  if (!file.width || !file.height)
    return <IconFileText size={18} aria-hidden className={styles.icon} />;
  return (
    <img
      className={styles.picture}
      src={`/api/v1/sessions/${sessionId}/files/${place}`}
      width={file.width}
      height={file.height}
      alt=""
      loading="lazy"
    />
  );
}
