import { type KeyboardEvent, useState } from "react";

import type { Choice } from "./Offers";

/** Moves along what is offered by the keyboard, for as long as something is. */
export function useOffers(choices: Choice[], typed: string) {
  const [{ place, of, closed }, move] = useState({ place: 0, of: typed, closed: false });
  const isOpen = choices.length > 0 && !(closed && of === typed);
  const at = of === typed ? Math.min(place, choices.length - 1) : 0;
  /** Whether the key was meant for the offers. */
  const onKey = (event: KeyboardEvent): boolean => {
    if (!isOpen) return false;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      move({ place: (at + step + choices.length) % choices.length, of: typed, closed: false });
    } else if (event.key === "Escape") {
      move({ place: 0, of: typed, closed: true });
    } else if (event.key === "Tab" || (event.key === "Enter" && !event.shiftKey)) {
      choices[at]?.choose();
    } else {
      return false;
    }
    event.preventDefault();
    return true;
  };
  return { choices: isOpen ? choices : [], at, onKey };
}
