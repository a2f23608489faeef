import { IconPinFilled, IconUsers } from "@tabler/icons-react";
import { Link, useParams } from "@tanstack/react-router";

import { Tag, Verdict } from "@/components/StateMark";
import { When } from "@/components/When";
import { Visible } from "@/features/gate/shared/Untrusted";

import type { Thread } from "../thread/useThread";
import { tagsOf } from "./NameDialog";
import styles from "./ThreadList.module.css";
import { ThreadMenu } from "./ThreadMenu";

/** One conversation in the list. */
export function ThreadRow({ thread }: { thread: Thread }) {
  const { threadId } = useParams({ strict: false });
  const { id, title, assistantName, pinned, isOwn, runStatus, metadata } = thread;
  const here = id === threadId;
  const at = typeof metadata.lastActivity === "string" ? metadata.lastActivity : thread.createdAt;
  return (
    <li className={styles.row} data-row data-open={here || undefined} tabIndex={-1}>
      <Link
        to="/chat/$threadId"
        params={{ threadId: id }}
        className={styles.link}
        aria-current={here ? "page" : undefined}
      >
        <span className={styles.name}>
          {pinned && <IconPinFilled size={12} aria-label="Pinned" />}
          {!isOwn && <IconUsers size={13} aria-label="Shared with you" />}
          <span className={styles.cut}>
            <Visible>{title}</Visible>
          </span>
        </span>
        <span className={styles.meta}>
          {runStatus === "waiting" && <Verdict verdict="asks">waits</Verdict>}
          {runStatus === "running" && <span>at work · </span>}
          <span className={styles.cut}>{assistantName}</span> · <When at={at} />
        </span>
        {tagsOf(thread).length > 0 && (
          <span className={styles.tags}>
            {tagsOf(thread).map((tag) => (
              <Tag key={tag}>{tag}</Tag>
            ))}
          </span>
        )}
      </Link>
      <ThreadMenu thread={thread} />
    </li>
  );
}
