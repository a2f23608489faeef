import { ActionIcon, CloseButton, FileButton, Tooltip } from "@mantine/core";
import { IconPaperclip } from "@tabler/icons-react";

import { Visible } from "@/features/gate/shared/Untrusted";

import styles from "./Files.module.css";
import type { Upload } from "./useAttachments";

const KINDS = "image/png,image/jpeg,image/webp,image/gif,application/pdf,text/*,.md,.csv,.json";

interface AttachProps {
  sending: boolean;
  onAdd: (files: File[]) => void;
}

/** The button that chooses files for a message. */
export function Attach({ sending, onAdd }: AttachProps) {
  return (
    <FileButton multiple accept={KINDS} onChange={onAdd} inputProps={{ "aria-label": "Files" }}>
      {(props) => (
        <Tooltip label="Attach pictures, PDF documents or texts">
          <ActionIcon
            {...props}
            size={36}
            variant="default"
            aria-label="Attach files"
            loading={sending}
          >
            <IconPaperclip size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
      )}
    </FileButton>
  );
}

interface ChosenProps {
  files: Upload[];
  onRemove: (id: string) => void;
}

/** The files that go with the next message. */
export function Chosen({ files, onRemove }: ChosenProps) {
  if (files.length === 0) return null;
  return (
    <ul className={styles.chosen} role="list" aria-label="Attached to your message">
      {files.map(({ id, name }) => (
        <li key={id} className={styles.chip}>
          <Visible>{name}</Visible>
          <CloseButton size="xs" aria-label={`Remove ${name}`} onClick={() => onRemove(id)} />
        </li>
      ))}
    </ul>
  );
}
