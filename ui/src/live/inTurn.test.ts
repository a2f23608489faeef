import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { inTurn } from "./inTurn";

/** The browser's locks: one holder at a time, the others wait their turn, and one may be stolen. */
class Locks {
  #holder: { lose: (why: Error) => void } | null = null;
  readonly #waiting: (() => void)[] = [];

  request(_name: string, { signal, steal }: LockOptions, hold: () => Promise<void> | undefined) {
    return new Promise<void>((resolve, reject) => {
      const begin = () => {
        const mine = { lose: reject };
        this.#holder = mine;
        void Promise.resolve(hold()).then(() => {
          resolve();
          if (this.#holder !== mine) return;
          this.#holder = null;
          this.#waiting.shift()?.();
        });
      };
      if (steal) {
        this.#holder?.lose(new Error("stolen"));
        begin();
      } else if (!this.#holder) begin();
      else {
        this.#waiting.push(begin);
        signal?.addEventListener("abort", () => {
          const place = this.#waiting.indexOf(begin);
          if (place >= 0) this.#waiting.splice(place, 1);
          reject(new Error("no longer waiting"));
        });
      }
    });
  }
}

const settled = () => new Promise((resolve) => setTimeout(resolve));

describe("tabs in turn", () => {
  let leading: Set<string>;
  const tab = (name: string) =>
    inTurn("test", () => {
      leading.add(name);
      return () => leading.delete(name);
    });

  beforeEach(() => {
    leading = new Set();
    vi.stubGlobal("navigator", { locks: new Locks() });
  });
  afterEach(() => vi.unstubAllGlobals());

  it("lead one at a time, and the next one leads when the first goes", async () => {
    const first = tab("first");
    tab("second");
    await settled();
    expect([...leading]).toEqual(["first"]);
    first.stop();
    await settled();
    expect([...leading]).toEqual(["second"]);
  });

  it("do not lead after they stopped waiting", async () => {
    const first = tab("first");
    const second = tab("second");
    second.stop();
    first.stop();
    await settled();
    expect([...leading]).toEqual([]);
  });

  it("take over from one that does not answer, which then waits its turn again", async () => {
    tab("first");
    const second = tab("second");
    await settled();
    second.takeOver();
    await settled();
    expect([...leading]).toEqual(["second"]);
    second.stop();
    await settled();
    expect([...leading]).toEqual(["first"]);
  });

  it("lead each for itself where the browser has no locks", () => {
    vi.stubGlobal("navigator", {});
    tab("first");
    const second = tab("second");
    expect([...leading]).toEqual(["first", "second"]);
    second.stop();
    expect([...leading]).toEqual(["first"]);
  });
});
