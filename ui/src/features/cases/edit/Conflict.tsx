import { Button, Group, Text } from "@mantine/core";

import { Untrusted } from "@/features/gate/shared/Untrusted";

import { isText, type Item } from "../words";
import styles from "./Conflict.module.css";

interface Props {
  theirs: Item;
  mine: string;
  onTheirs: () => void;
  onMine: () => void;
  onEdit: () => void;
}

/** Two have changed one item: both versions side by side, and the choice between them. Neither is lost. */
export function Conflict({ theirs, mine, onTheirs, onMine, onEdit }: Props) {
  return (
    <div role="alert" className={styles.conflict}>
      <Text size="sm">
        Someone else changed this item while you were writing. Nothing of yours is saved yet.
      </Text>
      <div className={styles.versions}>
        <Side
          title={`The newest, revision ${theirs.revision}`}
          text={theirs.data ?? ""}
          item={theirs}
        />
        <Side title="Yours" text={mine} item={theirs} />
      </div>
      <Group gap="xs">
        <Button size="xs" variant="default" onClick={onTheirs}>
          Keep the newest
        </Button>
        <Button size="xs" variant="default" onClick={onEdit}>
          Go on editing yours
        </Button>
        <Button size="xs" onClick={onMine}>
          Save yours over it
        </Button>
      </Group>
    </div>
  );
}

function Side({ title, text, item }: { title: string; text: string; item: Item }) {
  return (
    <section aria-label={title} className={styles.side}>
      <Text size="sm" fw={500}>
        {title}
      </Text>
      <div className={styles.text}>
        {isText(item) ? <Untrusted most={4000}>{text}</Untrusted> : <em>A file</em>}
      </div>
    </section>
  );
}
