import { describe, expect, it } from "vitest";

import { allOrNone, NONE, nextAfter, stillThere, toggled, upTo } from "./selection";

const ORDER = ["a", "b", "c", "d"];
const ids = (selection: ReadonlySet<string>) => [...selection].toSorted();

describe("what is selected", () => {
  it("changes by one, and back", () => {
    const one = toggled(NONE, "b");
    expect(ids(one)).toEqual(["b"]);
    expect(ids(toggled(one, "b"))).toEqual([]);
  });

  it("goes up to another one in either direction, and keeps what was selected", () => {
    expect(ids(upTo(new Set(["d"]), ORDER, "a", "b"))).toEqual(["a", "b", "d"]);
    expect(ids(upTo(NONE, ORDER, "d", "b"))).toEqual(["b", "c", "d"]);
  });

  it("is only the one that is clicked where the first is gone", () => {
    expect(ids(upTo(NONE, ORDER, "gone", "c"))).toEqual(["c"]);
    expect(ids(upTo(NONE, ORDER, "a", "gone"))).toEqual([]);
  });

  it("is all, or none if it was all", () => {
    expect(ids(allOrNone(new Set(["a"]), ORDER))).toEqual(ORDER);
    expect(ids(allOrNone(new Set(ORDER), ORDER))).toEqual([]);
  });

  it("loses what is no longer in the list, and stays the same where nothing is", () => {
    const all = new Set(["a", "d"]);
    expect(ids(stillThere(all, ["a", "b"]))).toEqual(["a"]);
    expect(stillThere(all, ORDER)).toBe(all);
  });
});

describe("where the keyboard goes on", () => {
  it("is the next one below, past all that go", () => {
    expect(nextAfter(ORDER, new Set(["b"]))).toBe("c");
    expect(nextAfter(ORDER, new Set(["a", "c"]))).toBe("d");
  });

  it("is the last one above at the end of the list, and nowhere in an empty one", () => {
    expect(nextAfter(ORDER, new Set(["c", "d"]))).toBe("b");
    expect(nextAfter(ORDER, new Set(ORDER))).toBeUndefined();
  });
});
