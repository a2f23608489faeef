import { expect, it } from "vitest";

import { asQuery, EVERYTHING, isFiltered } from "./filters";

it("leaves out what is empty; how to search only matters with words", () => {
  expect(asQuery({ ...EVERYTHING, mode: "keyword", query: "  " })).toEqual({});
  expect(asQuery({ query: " tea ", mode: "semantic", reach: "global", tag: " a " })).toEqual({
    query: "tea",
    mode: "semantic",
    reach: "global",
    tag: ["a"],
  });
  expect(isFiltered({ ...EVERYTHING, mode: "keyword" })).toBe(false);
  expect(isFiltered({ ...EVERYTHING, tag: "a" })).toBe(true);
});
