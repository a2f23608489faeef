import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from "react";

import styles from "./DiagnosticsPage.module.css";

const LEAST = 25;
const MOST = 75;
const STEP = 5;

/** Two panes with a bar between them that is moved by pointer or arrow keys; one above the other on a phone. */
export function Split({ left, right }: { left: ReactNode; right: ReactNode }) {
  const [share, setShare] = useState(50);
  const box = useRef<HTMLDivElement>(null);
  const move = (wanted: number) => setShare(Math.round(Math.min(MOST, Math.max(LEAST, wanted))));
  const drag = (event: PointerEvent<HTMLDivElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId) || !box.current) return;
    const { left: start, width } = box.current.getBoundingClientRect();
    move(((event.clientX - start) / width) * 100);
  };
  const press = (event: KeyboardEvent) => {
    const steps: Record<string, number> = {
      ArrowLeft: share - STEP,
      ArrowRight: share + STEP,
      Home: LEAST,
      End: MOST,
    };
    const wanted = steps[event.key];
    if (wanted === undefined) return;
    event.preventDefault();
    move(wanted);
  };
  return (
    <div
      ref={box}
      className={styles.split}
      style={{ gridTemplateColumns: `minmax(0, ${share}fr) 10px minmax(0, ${100 - share}fr)` }}
    >
      <div className={styles.pane}>{left}</div>
      {/* A separator that can be moved is a widget, which the rules do not know. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <div
        className={styles.splitter}
        role="separator"
        aria-label="Width of the panes"
        aria-orientation="vertical"
        aria-valuenow={share}
        aria-valuemin={LEAST}
        aria-valuemax={MOST}
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        onKeyDown={press}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={drag}
      />
      <div className={styles.pane}>{right}</div>
    </div>
  );
}
