import { expect, it } from "vitest";

import { changes } from "./changes";

it("says which lines went and which came", () => {
  expect(changes("a\nb\nc", "a\nB\nc\nd")).toBe(" a\n-b\n+B\n c\n+d");
});

it("says nothing of what is the same, and where it goes on", () => {
  const long = Array.from({ length: 20 }, (_, at) => `line ${at + 1}`);
  expect(changes(long.join("\n"), long.join("\n"))).toBe("");
  const other = long.with(9, "changed");
  expect(changes(long.join("\n"), other.join("\n")).split("\n")).toEqual([
    "@@ -7 +7 @@",
    " line 7",
    " line 8",
    " line 9",
    "-line 10",
    "+changed",
    " line 11",
    " line 12",
    " line 13",
  ]);
});

it("finds what was moved as little as it can", () => {
  expect(changes("one\ntwo\nthree", "two\nthree\none")).toBe("-one\n two\n three\n+one");
});
