import { type RefObject, useEffect, useState } from "react";

/** So many rows beyond what is seen are there too: the next ones for the keyboard, and for a quick thumb. */
const BEYOND = 12;
const STEP = 4;

/** Which of many rows of one height have to be on the page: those in sight, and some around them. */
export function useWindow(frame: RefObject<HTMLElement | null>, count: number, height: number) {
  const [range, setRange] = useState({ first: 0, last: 2 * BEYOND });
  useEffect(() => {
    const box = frame.current;
    if (!box) return;
    const look = () => {
      const top = Math.floor(box.scrollTop / height / STEP) * STEP;
      const first = Math.max(0, top - BEYOND);
      const last = top + STEP + Math.ceil(box.clientHeight / height) + BEYOND;
      setRange((old) => (old.first === first && old.last === last ? old : { first, last }));
    };
    look();
    const watch = new ResizeObserver(look);
    watch.observe(box);
    box.addEventListener("scroll", look, { passive: true });
    return () => {
      watch.disconnect();
      box.removeEventListener("scroll", look);
    };
  }, [frame, height]);
  return { first: Math.min(range.first, count), last: Math.min(range.last, count) };
}
