import { Button, Text } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";

import { sizeInWords } from "@/features/mail/reader/words";

import type { Item } from "../words";
import { contentOf } from "./content";
import styles from "./Preview.module.css";

/** Something that cannot be shown, to be kept. */
export function Download({ item }: { item: Item }) {
  return (
    <div className={styles.file}>
      <Text size="sm">
        {item.mimeType ?? "Content of an unknown kind"}, {sizeInWords(item.size)}. It cannot be
        shown here.
      </Text>
      <Button
        component="a"
        href={`${contentOf(item)}?download=true`}
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
