import { useState } from "react";

const COOKIE = /(?:^|; )((?:__Host-)?bailiwick_\w+_said)=([^;]*)/;
let taken: { path: string; words: string } | null = null;

/** What the server told the browser on its way here, once. It is no part of the address, which anybody can write. */
function takeSaid(): string | null {
  const [, name, words] = COOKIE.exec(document.cookie) ?? [];
  const { pathname: path, protocol } = window.location;
  if (name && words) {
    taken = { path, words: decodeURIComponent(words) };
    document.cookie = `${name}=; Max-Age=0; Path=/; SameSite=Lax${protocol === "https:" ? "; Secure" : ""}`;
  }
  // A page may be made twice before it is shown; the second making needs the words too.
  return taken?.path === path ? taken.words : null;
}

export function useSaid(): [words: string | null, forget: () => void] {
  const [words, setWords] = useState(takeSaid);
  const forget = () => {
    taken = null;
    setWords(null);
  };
  return [words, forget];
}
