import { Anchor } from "@mantine/core";
import { useState } from "react";

import styles from "./Untrusted.module.css";
import { visibleParts } from "./visible";

interface Props {
  children: string;
  /** How much is shown before "Show all". */
  most?: number;
  /** The rest is shown elsewhere. */
  brief?: boolean;
}

/** Words that anybody may have written: as text alone, with what is hidden in them made visible, and not too much. */
export function Untrusted({ children, most = 600, brief }: Props) {
  const [all, setAll] = useState(false);
  const clipped = !all && children.length > most;
  const shown = clipped ? cut(children, most) : children;
  return (
    <>
      <span className={styles.text} dir="auto">
        <Visible>{shown}</Visible>
        {clipped && "…"}
      </span>
      {clipped && !brief && (
        <Anchor
          component="button"
          type="button"
          className={styles.more}
          onClick={() => setAll(true)}
        >
          Show all {children.length.toLocaleString("en")} characters
        </Anchor>
      )}
    </>
  );
}

/** The same without a bound, for places that have their own. */
export function Visible({ children }: { children: string }) {
  return visibleParts(children).map((part, index) =>
    typeof part === "string" ? (
      part
    ) : (
      <mark key={index} className={styles.hidden} title={part.name}>
        {part.code}
      </mark>
    ),
  );
}

/** Not between the halves of a character. */
function cut(text: string, most: number): string {
  const last = text.charCodeAt(most - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? most - 1 : most);
}
