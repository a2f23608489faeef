import { Button } from "@mantine/core";
import { IconArrowDown } from "@tabler/icons-react";
import { defaultRangeExtractor, type Range, useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useEffect, useRef } from "react";

import type { Line } from "./lines";
import styles from "./LineList.module.css";
import { useBottom } from "./useBottom";

const LIKELY = 120;
const SOON = 8;

interface Props {
  lines: Line[];
  children: (line: Line) => ReactNode;
  /** What is under way, below all lines. */
  tail: ReactNode;
  /** Someone comes near the first line. */
  onTop?: () => void;
  /** Another number: whoever spoke wants to see what comes of it, wherever they were reading. */
  jumps?: number;
}

/**
 * The lines of a conversation. Only those in sight are on the page, so that thousands scroll as well as ten; the
 * newest stays in sight while it grows, unless the person has scrolled up to read.
 */
export function LineList({ lines, children, tail, onTop, jumps = 0 }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const count = lines.length + 1;
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => frame.current,
    estimateSize: () => LIKELY,
    getItemKey: (index) => lines[index]?.key ?? "tail",
    overscan: 6,
    // What is below all lines hears what is being written, wherever one reads.
    rangeExtractor: (range) => withLast(range),
    anchorTo: "end",
    paddingStart: 16,
    paddingEnd: 8,
  });
  const shown = virtual.getVirtualItems();
  const first = shown[0]?.index ?? 0;
  useEffect(() => {
    if (first < SOON) onTop?.();
  });
  const { isAway, jump } = useBottom(frame, jumps);
  return (
    <div className={styles.pane}>
      <div
        className={styles.frame}
        ref={frame}
        role="region"
        aria-label="What was said"
        tabIndex={0}
      >
        <div
          className={styles.lines}
          role="log"
          aria-label="Conversation"
          aria-live="off"
          style={{ height: virtual.getTotalSize() }}
        >
          {shown.map(({ key, index, start }) => {
            const line = lines[index];
            return (
              <div
                key={key}
                ref={virtual.measureElement}
                data-index={index}
                className={styles.line}
                style={{ transform: `translateY(${start}px)` }}
              >
                {line ? children(line) : tail}
              </div>
            );
          })}
        </div>
      </div>
      {isAway && (
        <Button
          className={styles.jump}
          variant="default"
          size="xs"
          radius="xl"
          leftSection={<IconArrowDown size={14} aria-hidden />}
          onClick={jump}
        >
          Jump to the newest
        </Button>
      )}
    </div>
  );
}

function withLast(range: Range): number[] {
  const inSight = defaultRangeExtractor(range);
  return inSight.at(-1) === range.count - 1 ? inSight : [...inSight, range.count - 1];
}
