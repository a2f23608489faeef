import { Outlet, useRouterState } from "@tanstack/react-router";

import styles from "./Chat.module.css";
import { ThreadList } from "./threads/ThreadList";

/** Conversations with agents: all of them, and the one that is open. On a phone, one at a time. */
export function ChatPage() {
  const path = useRouterState({ select: (state) => state.location.pathname });
  const isReading = path.replace(/\/$/, "") !== "/chat";
  return (
    <div className={styles.page} data-reading={isReading || undefined}>
      <ThreadList isAlone={!isReading} />
      <div className={styles.pane}>
        <Outlet />
      </div>
    </div>
  );
}
