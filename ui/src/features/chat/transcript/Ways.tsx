import { TextLink } from "@/components/TextLink";

import styles from "./About.module.css";
import type { Session } from "./useSession";

/** From a session to what belongs to it. */
export function Ways({ session: { id, taskId, parentId, forkedFrom } }: { session: Session }) {
  return (
    <ul className={styles.list} role="list">
      <li>
        <TextLink to="/runs/$runId" params={{ runId: id }} size="sm">
          Timeline of the run
        </TextLink>
      </li>
      {taskId && (
        <li>
          <TextLink to="/runs" search={{ task: taskId }} size="sm">
            All runs for its task
          </TextLink>
        </li>
      )}
      {parentId && (
        <li>
          <TextLink to="/sessions/$sessionId" params={{ sessionId: parentId }} size="sm">
            The session that asked for it
          </TextLink>
        </li>
      )}
      {forkedFrom && (
        <li>
          <TextLink to="/sessions/$sessionId" params={{ sessionId: forkedFrom }} size="sm">
            The session it was taken from
          </TextLink>
        </li>
      )}
    </ul>
  );
}
