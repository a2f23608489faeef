import { type RefObject, useLayoutEffect, useState } from "react";

import { type Shown, shownOf, type View } from "./windowing";

/** How things of a list stand. */
export interface Look {
  height: number;
  /** How wide one is; without it, each has a row. */
  width?: number;
}

const FEW = 200;
const EDGE = "[data-scrolls]";

/** Which things of a long list to make, as one scrolls: those that can be seen. Short ones are made whole. */
export function useShown(list: RefObject<HTMLElement | null>, count: number, look: Look): Shown {
  const [view, setView] = useState<View & { width: number }>({ top: 0, height: 900, width: 300 });
  const isLong = count > FEW;
  useLayoutEffect(() => {
    const [inner, outer] = [list.current, list.current?.closest(EDGE)];
    if (!inner || !outer || !isLong) return;
    const see = () => {
      const [box, edge] = [inner.getBoundingClientRect(), outer.getBoundingClientRect()];
      const top = Math.max(0, edge.top - box.top);
      setView((was) =>
        was.top === top && was.height === edge.height && was.width === box.width
          ? was
          : { top, height: edge.height, width: box.width },
      );
    };
    see();
    outer.addEventListener("scroll", see, { passive: true });
    const resized = new ResizeObserver(see);
    resized.observe(outer);
    return () => {
      outer.removeEventListener("scroll", see);
      resized.disconnect();
    };
  }, [list, isLong]);
  if (!isLong) return { first: 0, end: count, before: 0, after: 0 };
  const columns = look.width ? Math.max(1, Math.floor(view.width / look.width)) : 1;
  return shownOf(view, count, look.height, columns);
}
