import { Anchor, Text } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";

import { Visible } from "@/features/gate/shared/Untrusted";

import styles from "./Attachments.module.css";
import { type Mail, sizeInWords } from "./words";

/** What is attached, to be kept; nothing is opened here. */
export function Attachments({ mail }: { mail: Mail }) {
  const shown = mail.attachments.filter(({ inline }) => !inline);
  if (shown.length === 0) return null;
  return (
    <ul role="list" aria-label="Attachments" className={styles.attachments}>
      {shown.map(({ part, name, type, size }) => (
        <li key={part}>
          <Anchor
            href={`/api/v1/mail/${mail.id}/attachments/${part}`}
            download={name || "attachment"}
            className={styles.attachment}
            title={type}
          >
            <IconDownload size={15} aria-hidden />
            <span dir="auto">
              <Visible>{name || "Without a name"}</Visible>
            </span>
            <Text span size="xs" c="dimmed" flex="none">
              {sizeInWords(size)}
            </Text>
          </Anchor>
        </li>
      ))}
    </ul>
  );
}
