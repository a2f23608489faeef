import { useRouter } from "@tanstack/react-router";
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";

const NEAR = 64;
const FAR = 240;

const below = () => {
  const { scrollHeight, clientHeight } = document.documentElement;
  return scrollHeight - clientHeight - window.scrollY;
};

function toBottom() {
  window.scrollTo({ top: document.documentElement.scrollHeight });
}

/**
 * Keeps the newest in sight while the page grows, for as long as the person is at the bottom. Whoever has scrolled up
 * to read is left alone.
 */
export function useBottom(content: RefObject<HTMLElement | null>) {
  const stays = useRef(true);
  const [isAway, setAway] = useState(false);
  const router = useRouter();

  // Before it is seen; and again once the router has put a new page at its top.
  useLayoutEffect(toBottom, []);
  useEffect(
    () =>
      router.subscribe("onRendered", ({ pathChanged }) => {
        if (!pathChanged) return;
        stays.current = true;
        toBottom();
      }),
    [router],
  );

  useEffect(() => {
    const look = () => {
      const left = below();
      stays.current = left < NEAR;
      setAway(left > FAR);
    };
    const grow = () => (stays.current ? toBottom() : look());
    const observer = new ResizeObserver(grow);
    if (content.current) observer.observe(content.current);
    window.addEventListener("scroll", look, { passive: true });
    return () => {
      observer.disconnect();
      window.removeEventListener("scroll", look);
    };
  }, [content]);

  const jump = () => {
    stays.current = true;
    setAway(false);
    toBottom();
  };
  return { isAway, jump };
}
