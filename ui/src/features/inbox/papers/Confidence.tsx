import styles from "./Papers.module.css";
import { confidenceInWords, percent, type Suggestion } from "./words";

/** How sure the organiser is: a word, and a bar in the accent colour; grey where that is too little. */
export function Confidence({ suggestion }: { suggestion: Suggestion }) {
  const { confidence, below_minimum: isBelow } = suggestion;
  return (
    <span className={styles.confidence} data-below={isBelow || undefined}>
      <span className={styles.bar} aria-hidden>
        <span style={{ width: percent(confidence) }} />
      </span>
      <span>
        {confidenceInWords(suggestion)}, {percent(confidence)}
      </span>
    </span>
  );
}
