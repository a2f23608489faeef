const SLEEP = 30_000;

/** Calls back when a tab was long out of sight, or the network away: connections then look whole and may not be. */
export function onWaking(wake: () => void): () => void {
  let hiddenAt = Date.now();
  const look = () => {
    if (document.visibilityState === "hidden") hiddenAt = Date.now();
    else if (Date.now() - hiddenAt > SLEEP) wake();
  };
  window.addEventListener("online", wake);
  document.addEventListener("visibilitychange", look);
  return () => {
    window.removeEventListener("online", wake);
    document.removeEventListener("visibilitychange", look);
  };
}
