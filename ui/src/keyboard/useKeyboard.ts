import { useRouter } from "@tanstack/react-router";
import { useEffect, useRef } from "react";

import { undoLast } from "@/components/notify";
import { PLACES } from "@/routes/navigation";

import { dialogIsOpen, focusFilter, keysBelongElsewhere, moveAlongRows, openRow } from "./focus";
import { pageKey } from "./pageKeys";

const SEQUENCE = 1000;

interface Actions {
  openPalette: () => void;
  openHelp: () => void;
}

/** The keys that work on every page. Ctrl-K works in fields too; single letters never do. */
export function useKeyboard({ openPalette, openHelp }: Actions) {
  const router = useRouter();
  const pressedG = useRef(-Infinity);

  useEffect(() => {
    const jump = (key: string) => {
      const place = PLACES.find((one) => one.key === key);
      if (place) void router.navigate({ to: place.to });
    };
    const press: Record<string, (event: KeyboardEvent) => void> = {
      "?": openHelp,
      "/": focusFilter,
      j: () => moveAlongRows(1),
      k: () => moveAlongRows(-1),
      z: undoLast,
      // When the keys were pressed, not when a busy page comes to them: `g a` must never be an `a` alone.
      g: ({ timeStamp }) => {
        pressedG.current = timeStamp;
      },
    };
    const onKey = (event: KeyboardEvent) => {
      const { key, target } = event;
      const mod = event.ctrlKey || event.metaKey;
      if (event.defaultPrevented || event.isComposing || event.altKey) return;
      if (mod && key.toLowerCase() === "k") {
        event.preventDefault();
        if (!dialogIsOpen()) openPalette();
      }
      if (mod || keysBelongElsewhere(target)) return;
      if (key === "Enter" && target instanceof HTMLElement && "row" in target.dataset) {
        // Else the same Enter would press the button that gets the focus now.
        event.preventDefault();
        return openRow(target);
      }
      if (event.timeStamp - pressedG.current < SEQUENCE) {
        pressedG.current = -Infinity;
        return jump(key);
      }
      const act = press[key] ?? pageKey(key);
      // Held down, a key would answer one question after the other.
      if (!act || (event.repeat && !press[key])) return;
      event.preventDefault();
      act(event);
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [router, openPalette, openHelp]);
}
