import { useMemo } from "react";

import { Unfold } from "@/components/Unfold";
import { Visible } from "@/features/gate/shared/Untrusted";

import { wordDiff } from "@/features/runs/run/compare/wordDiff";
import styles from "./Sent.module.css";

/** A longer text is folded: most of it stands above already. */
const SHORT = 400;

interface Props {
  /** As it stands in the transcript. */
  text: string;
  /** What the model got in its place; null: the same. */
  sent: string | null | undefined;
}

/** What the model saw of a text, where redaction took something out of it. */
export function Sent({ text, sent }: Props) {
  if (typeof sent !== "string") return null;
  if (sent.length > SHORT) {
    return (
      <Unfold look="inline" label={<span className={styles.label}>What the model saw</span>}>
        {() => (
          <p className={styles.sent}>
            <Marked text={text} sent={sent} />
          </p>
        )}
      </Unfold>
    );
  }
  return (
    <p className={styles.sent}>
      <span className={styles.label}>The model saw:</span> <Marked text={text} sent={sent} />
    </p>
  );
}

/** The text with what was put in place of something marked. */
function Marked({ text, sent }: { text: string; sent: string }) {
  const pieces = useMemo(() => wordDiff(text, sent)?.[1], [text, sent]);
  return (
    <span dir="auto">
      {pieces ? (
        pieces.map(({ text: piece, differs }, place) =>
          differs ? (
            <mark key={place} className={styles.mark}>
              <Visible>{piece}</Visible>
            </mark>
          ) : (
            <Visible key={place}>{piece}</Visible>
          ),
        )
      ) : (
        <Visible>{sent}</Visible>
      )}
    </span>
  );
}
