import { expect, it } from "vitest";

import { counted, dollars, fromMillionths, savedInWords, took, toMillionths } from "./amounts";

it("says amounts so that small ones are not nothing", () => {
  expect([0, 0.00001, 0.0123, 0.5, 4.2, 1234.5].map(dollars)).toEqual([
    "$0",
    "<$0.0001",
    "$0.0123",
    "$0.50",
    "$4.20",
    "$1,234.50",
  ]);
});

it("says what caching saved, or cost", () => {
  expect([0, 0.25, -0.0125].map(savedInWords)).toEqual([
    null,
    "caching saved $0.25",
    "caching cost $0.0125 more than it saved",
  ]);
});

it("counts in whole millionths", () => {
  expect(toMillionths(0.1 + 0.2)).toBe(300_000);
  expect(fromMillionths(250_000)).toBe(0.25);
});

it("says how long something took", () => {
  expect([340.4, 4200, 192_000, 7_500_000].map(took)).toEqual([
    "340 ms",
    "4.2 s",
    "3 min 12 s",
    "2 h 5 min",
  ]);
  expect([counted(1, "step"), counted(2400, "token")]).toEqual(["1 step", "2,400 tokens"]);
});
