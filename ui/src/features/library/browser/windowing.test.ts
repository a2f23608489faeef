import { describe, expect, it } from "vitest";

import { shownOf } from "./windowing";

describe("what is made of a long list", () => {
  it("is little, wherever one looks, and keeps the whole's height", () => {
    for (const top of [0, 5000, 200_000, 399_500, 900_000]) {
      const { first, end, before, after } = shownOf({ top, height: 800 }, 10_000, 40);
      expect(end - first).toBeLessThanOrEqual(44);
      expect(before + (end - first) * 40 + after).toBe(400_000);
    }
  });

  it("is what is seen", () => {
    const { first, end } = shownOf({ top: 4000, height: 800 }, 10_000, 40);
    expect(first).toBeLessThanOrEqual(100);
    expect(end).toBeGreaterThanOrEqual(120);
  });

  it("is whole rows where things stand beside one another", () => {
    const { first, end, after } = shownOf({ top: 2400, height: 600 }, 1001, 120, 5);
    expect(first % 5).toBe(0);
    expect(end).toBeGreaterThan(first);
    expect(after % 120).toBe(0);
    expect(shownOf({ top: 99_999, height: 600 }, 1001, 120, 5).end).toBe(1001);
    expect(shownOf({ top: 0, height: 600 }, 0, 120, 5)).toEqual({
      first: 0,
      end: 0,
      before: 0,
      after: 0,
    });
  });
});
