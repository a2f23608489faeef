import { Unfold } from "@/components/Unfold";
import { took } from "@/features/llm/models/amounts";

import styles from "./Conversation.module.css";
import { Markdown } from "@/markdown/Markdown";

interface Props {
  text: string;
  /** How long it thought; not given while it does. */
  milliseconds?: number | null;
  isThinking?: boolean;
}

/** What the model thought, folded: it is no part of its answer. */
export function Thought({ text, milliseconds, isThinking = false }: Props) {
  const words = isThinking ? "Thinking…" : thoughtFor(milliseconds);
  const label = <span className={styles.quiet}>{words}</span>;
  if (!text.trim()) return <p className={styles.quiet}>{words}</p>;
  return (
    <Unfold look="inline" label={label}>
      <div className={`${styles.inside} ${styles.thought}`}>
        <Markdown>{text}</Markdown>
      </div>
    </Unfold>
  );
}

/** "Thought for 4.2 s". */
export function thoughtFor(milliseconds: number | null | undefined): string {
  return milliseconds ? `Thought for ${took(milliseconds)}` : "Thought";
}
