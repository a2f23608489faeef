import { type RefObject, useEffect, useState } from "react";

import { rowAt } from "./tree";

/** So much beyond what is seen is there too: the next rows for the keyboard, and for a quick thumb. */
const BEYOND = 700;
const STEP = 150;

/** Which of many rows have to be on the page, given where each begins. */
export function useRowsInSight(frame: RefObject<HTMLElement | null>, tops: number[]) {
  const [view, setView] = useState({ from: 0, to: 2 * BEYOND });
  useEffect(() => {
    const box = frame.current;
    if (!box) return;
    const look = () => {
      const from = Math.floor(box.scrollTop / STEP) * STEP;
      const to = from + STEP + box.clientHeight;
      setView((old) => (old.from === from && old.to === to ? old : { from, to }));
    };
    look();
    const watch = new ResizeObserver(look);
    watch.observe(box);
    box.addEventListener("scroll", look, { passive: true });
    return () => {
      watch.disconnect();
      box.removeEventListener("scroll", look);
    };
  }, [frame]);
  const count = tops.length - 1;
  const last = Math.min(count, rowAt(tops, view.to + BEYOND) + 1);
  return { first: Math.min(last, rowAt(tops, view.from - BEYOND)), last };
}
