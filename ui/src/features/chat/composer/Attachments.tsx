import { ActionIcon, CloseButton, FileButton, Loader, Tooltip } from "@mantine/core";
import { IconPaperclip } from "@tabler/icons-react";

import { Visible } from "@/features/gate/shared/Untrusted";

import styles from "../transcript/Files.module.css";
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
            size={32}
            variant="subtle"
            color="gray"
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
  /** The names of those on their way. */
  waiting: string[];
  onRemove: (id: string) => void;
}

/** The files that go with the next message. */
export function Chosen({ files, waiting, onRemove }: ChosenProps) {
  if (files.length + waiting.length === 0) return null;
  return (
    <ul className={styles.chosen} role="list" aria-label="Attached to your message">
      {files.map(({ id, name }) => (
        <li key={id} className={styles.chip}>
          <Visible>{name}</Visible>
          <CloseButton size="xs" aria-label={`Remove ${name}`} onClick={() => onRemove(id)} />
        </li>
      ))}
      {waiting.map((name, place) => (
        <li key={place} className={styles.chip}>
          <Visible>{name}</Visible>
          <Loader size={12} mx={6} aria-label="on its way" />
        </li>
      ))}
    </ul>
  );
}
