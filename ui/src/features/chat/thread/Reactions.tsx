import { shownEmoji } from "./emoji";
import styles from "./MessageFooter.module.css";
import { useMessageVerbs } from "./useMessageVerbs";
import type { ThreadMessage } from "./useThread";

/** The emoji that people put to a message; a click puts one's own there, or takes it back. */
export function Reactions({ message }: { message: ThreadMessage }) {
  const { react } = useMessageVerbs(message);
  // What one thinks of an answer is marked at the thumbs themselves, unless others think so too.
  const shown = message.reactions.filter(
    ({ emoji, count }) =>
      message.role === "user" || count > 1 || !["thumbsup", "thumbsdown"].includes(emoji),
  );
  if (shown.length === 0) return null;
  return (
    <div className={styles.reactions} role="group" aria-label="Reactions">
      {shown.map(({ emoji, count, user_reacted: mine }) => (
        <button
          key={emoji}
          type="button"
          className={styles.reaction}
          aria-pressed={mine}
          aria-label={`${emoji.replaceAll("_", " ")}, ${count}`}
          onClick={() => void react(emoji)}
        >
          {shownEmoji(emoji)} {count}
        </button>
      ))}
    </div>
  );
}
