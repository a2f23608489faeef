import { Anchor, VisuallyHidden } from "@mantine/core";
import { useState } from "react";

import { Visible } from "../shared/Untrusted";
import styles from "./Diff.module.css";

const FEW = 200;
const WORDS = { added: "Added: ", removed: "Removed: ", place: "", same: "" };
const SIGNS = { added: "+", removed: "−", place: "", same: "" };

interface Line {
  kind: keyof typeof WORDS;
  text: string;
}

/** The lines of a unified diff. Only its beginning has a header: a removed line may look like one. */
export function linesOf(diff: string): Line[] {
  const lines = diff.replace(/\n$/, "").split("\n");
  const headed = lines[0]?.startsWith("--- ") && lines[1]?.startsWith("+++ ");
  return lines.slice(headed ? 2 : 0).map((line) => {
    const place = /^@@ -\d+(?:,\d+)? \+(\d+)/.exec(line);
    if (place) return { kind: "place", text: `From line ${place[1]}` };
    if (line.startsWith("+")) return { kind: "added", text: line.slice(1) };
    if (line.startsWith("-")) return { kind: "removed", text: line.slice(1) };
    return { kind: "same", text: line.startsWith(" ") ? line.slice(1) : line };
  });
}

/** What would be added and removed, line by line. */
export function Diff({
  children,
  label = "What would change",
}: {
  children: string;
  label?: string;
}) {
  const [all, setAll] = useState(false);
  const lines = linesOf(children);
  const shown = all ? lines : lines.slice(0, FEW);
  return (
    <>
      <div className={styles.diff} role="region" aria-label={label} tabIndex={0} dir="ltr">
        {shown.map(({ kind, text }, index) => (
          <span key={index} className={styles.line} data-kind={kind}>
            <span className={styles.sign} aria-hidden>
              {SIGNS[kind]}
            </span>
            <VisuallyHidden>{WORDS[kind]}</VisuallyHidden>
            <Visible>{text}</Visible>
          </span>
        ))}
      </div>
      {shown.length < lines.length && (
        <Anchor component="button" type="button" size="sm" onClick={() => setAll(true)}>
          Show all {lines.length} lines
        </Anchor>
      )}
    </>
  );
}
