import { expect, it } from "vitest";

import { LONGEST, wordDiff } from "./wordDiff";

const marked = (left: string, right: string) =>
  wordDiff(left, right)?.map((pieces) =>
    pieces.map(({ text, differs }) => (differs ? `[${text}]` : text)).join(""),
  );

it("marks the words that only one text has", () => {
  expect(marked("send it to Ada today", "send it to Bob today")).toEqual([
    "send it to [Ada] today",
    "send it to [Bob] today",
  ]);
  expect(marked("a b", "a b")).toEqual(["a b", "a b"]);
  expect(marked("", "new")).toEqual(["", "[new]"]);
});

it("finds what both have in order, and takes the space between two differing words with them", () => {
  expect(marked("one two three four", "one 2 3 four")).toEqual([
    "one [two three] four",
    "one [2 3] four",
  ]);
  expect(marked("b a c", "a b c")?.[0]).toContain("c");
});

it("does not compare what is too long", () => {
  expect(wordDiff("x".repeat(LONGEST + 1), "y")).toBeNull();
});
