import { useRouter } from "@tanstack/react-router";
import { useEffect } from "react";

import { dialogIsOpen, focusHeading } from "@/keyboard/focus";

/**
 * On another page the focus goes to its heading. Not on the first one, where the browser's own place is right, and not
 * from a dialog that was opened meanwhile.
 */
export function useArrival() {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe("onRendered", ({ fromLocation, pathChanged }) => {
        if (fromLocation && pathChanged && !dialogIsOpen()) focusHeading();
      }),
    [router],
  );
}
