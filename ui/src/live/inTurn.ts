/**
 * Runs `lead` in one tab of this browser at a time; `lead` returns how to end. When its tab goes, the next one in the
 * queue leads. Locks exist on HTTPS and localhost only: elsewhere every tab leads for itself.
 */
export function inTurn(name: string, lead: () => () => void) {
  const { locks } = navigator as Partial<Pick<Navigator, "locks">>;
  if (!locks) return { stop: lead(), takeOver: () => {} };

  let waiting = new AbortController();
  let release: (() => void) | null = null;
  let stopped = false;

  const hold = () => {
    if (stopped) return;
    const end = lead();
    return new Promise<void>((resolve) => {
      release = () => {
        release = null;
        end();
        resolve();
      };
    });
  };
  const queue = (options: LockOptions) => {
    // Refused when this tab stops waiting, or when another one takes over from it.
    locks.request(name, options, hold).catch(() => {
      if (!release) return;
      release();
      wait();
    });
  };
  const wait = () => {
    waiting = new AbortController();
    queue({ signal: waiting.signal });
  };
  wait();

  return {
    stop: () => {
      stopped = true;
      waiting.abort();
      release?.();
    },
    /** Leads from now on, because the tab that should does not answer. */
    takeOver: () => {
      if (stopped || release) return;
      waiting.abort();
      queue({ steal: true });
    },
  };
}
