import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";

const NEAR = 64;
const FAR = 240;

/**
 * Keeps the newest in sight while a pane's content grows, for as long as the person is at the bottom. Whoever has
 * scrolled up to read is left alone.
 */
export function useBottom(frame: RefObject<HTMLElement | null>, jumps: number) {
  const stays = useRef(true);
  const [isAway, setAway] = useState(false);
  const jump = () => {
    stays.current = true;
    if (frame.current) frame.current.scrollTop = frame.current.scrollHeight;
  };

  useLayoutEffect(jump, [frame, jumps]);
  useEffect(() => {
    const pane = frame.current;
    const content = pane?.firstElementChild;
    if (!pane || !content) return;
    let before = pane.scrollTop;
    const look = () => {
      const left = pane.scrollHeight - pane.clientHeight - pane.scrollTop;
      if (left < NEAR) stays.current = true;
      // What grows moves nobody up: only a person does.
      else if (pane.scrollTop < before - 1) stays.current = false;
      before = pane.scrollTop;
      setAway(!stays.current && left > FAR);
    };
    const grow = () => {
      if (stays.current) pane.scrollTop = pane.scrollHeight;
      look();
    };
    const observer = new ResizeObserver(grow);
    observer.observe(content);
    observer.observe(pane);
    pane.addEventListener("scroll", look, { passive: true });
    return () => {
      observer.disconnect();
      pane.removeEventListener("scroll", look);
    };
  }, [frame]);

  return { isAway, jump };
}
