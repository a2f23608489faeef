import { Button, Text } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";

import { sizeInWords } from "@/features/mail/reader/words";

import type { Held } from "./content";
import styles from "./Preview.module.css";

/** Something that cannot be shown, to be kept. */
export function Download({ held }: { held: Held }) {
  return (
    <div className={styles.file}>
      <Text size="sm">
        {held.mimeType ?? "Content of an unknown kind"}, {sizeInWords(held.size)}. It cannot be
        shown here.
      </Text>
      <Button
        component="a"
        href={held.download}
        download
        size="xs"
        variant="default"
        leftSection={<IconDownload size={15} />}
      >
        Download
      </Button>
    </div>
  );
}
