import { Anchor, Text } from "@mantine/core";
import { IconPaperclip } from "@tabler/icons-react";

import { sizeInWords } from "@/features/mail/reader/words";

import { Untrusted, Visible } from "../shared/Untrusted";
import styles from "./Attached.module.css";
import { type AttachedFile, PICTURES } from "./attachments";

interface Props {
  approvalId: string;
  files: AttachedFile[];
}

/** The files that would go with it: a yes is for their content, so each can be looked at before. */
export function Attached({ approvalId, files }: Props) {
  if (files.length === 0) return null;
  return (
    <ul role="list" aria-label="Attached files" className={styles.files}>
      {files.map((file, number) => (
        <li key={number} className={styles.file}>
          <File file={file} href={`/api/v1/approvals/${approvalId}/attachments/${number}`} />
        </li>
      ))}
    </ul>
  );
}

function File({ file, href }: { file: AttachedFile; href: string }) {
  const { name, type, size, text } = file;
  const isPicture = PICTURES.includes(type.toLowerCase());
  return (
    <>
      <div className={styles.head}>
        <IconPaperclip size={15} aria-hidden className={styles.icon} />
        <Anchor href={href} target="_blank" rel="noopener noreferrer" className={styles.name}>
          <span dir="auto">
            <Visible>{name || "Without a name"}</Visible>
          </span>
        </Anchor>
        <Text span size="xs" c="dimmed">
          {sizeInWords(size)}, <Visible>{type}</Visible>
        </Text>
      </div>
      {isPicture && <img src={href} alt={`Attached: ${name}`} className={styles.picture} />}
      {!isPicture && text !== null && (
        <div className={styles.text}>
          <Untrusted>{text}</Untrusted>
        </div>
      )}
      {!isPicture && text === null && (
        <Text size="sm" c="dimmed">
          Open it to see what is in it.
        </Text>
      )}
    </>
  );
}
