import { ActionIcon } from "@mantine/core";
import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react";

import styles from "./MessageFooter.module.css";
import type { ThreadMessage, ThreadVerbs } from "./useThread";

interface Props {
  message: ThreadMessage;
  verbs: ThreadVerbs | null;
}

/** "‹ 2/3 ›": what was said in the same place, one at a time. */
export function BranchSwitch({ message: { id, siblings }, verbs }: Props) {
  if (siblings.length < 2) return null;
  const here = siblings.indexOf(id);
  const go = (step: number) => {
    const head = siblings[here + step];
    if (head) void verbs?.change({ head });
  };
  return (
    <span className={styles.branch} role="group" aria-label="Branches">
      <ActionIcon
        size="xs"
        variant="subtle"
        color="gray"
        aria-label="The one before"
        disabled={here === 0 || !verbs}
        onClick={() => go(-1)}
      >
        <IconChevronLeft size={14} />
      </ActionIcon>
      <span>
        {here + 1}/{siblings.length}
      </span>
      <ActionIcon
        size="xs"
        variant="subtle"
        color="gray"
        aria-label="The next one"
        disabled={here === siblings.length - 1 || !verbs}
        onClick={() => go(1)}
      >
        <IconChevronRight size={14} />
      </ActionIcon>
    </span>
  );
}
