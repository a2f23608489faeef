import { useState } from "react";

let taken: { path: string; text: string } | null = null;

/**
 * The text after `#`, which is then removed from the address bar and the history:
 * a one-time secret shall not stay where it can be read or shared.
 */
function takeFragment(): string {
  const { pathname, search, hash } = window.location;
  if (hash.length > 1) {
    taken = { path: pathname, text: hash.slice(1) };
    window.history.replaceState(window.history.state, "", pathname + search);
  }
  // A page may be made twice before it is shown; the second making needs the text too.
  return taken?.path === pathname ? taken.text : "";
}

export function useFragment(): string {
  const [text] = useState(takeFragment);
  return text;
}
