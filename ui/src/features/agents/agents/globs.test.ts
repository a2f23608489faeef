import { expect, it } from "vitest";

import { coversFolder, fits, fitsAny, fitsTool } from "./globs";

it("takes one star for a part of one name, and two for any number of folders", () => {
  for (const [pattern, name] of [
    ["Papers/*.md", "Papers/a.md"],
    ["**", "a/b/c"],
    ["Papers/**", "Papers"],
    ["Papers/**", "Papers/a/b"],
    ["**/*.md", "a.md"],
    ["a*c*e", "abcde"],
  ] as const) {
    expect(fits(pattern, name), `${pattern} ${name}`).toBe(true);
  }
  for (const [pattern, name] of [
    ["Papers/*.md", "Papers/a/b.md"],
    ["*", "a/b"],
    ["Papers/**", "Paper"],
    ["a*c", "abcd"],
    ["", "a"],
  ] as const) {
    expect(fits(pattern, name), `${pattern} ${name}`).toBe(false);
  }
});

it("takes letters that look the same for the same", () => {
  expect(fits("Bu\u0308ro", "B\u00fcro")).toBe(true);
});

it("knows a tool by its whole name, slashes and all", () => {
  expect(fitsTool(["list_*"], "list_a/b")).toBe(true);
  expect(fitsTool(["read_file"], "read_files")).toBe(false);
  expect(fitsAny(["a", "b*"], "bc")).toBe(true);
  expect(fitsAny([], "a")).toBe(false);
});

it("answers at once, whatever the pattern", () => {
  expect(fits(`${"**/".repeat(300)}x`, "a/".repeat(300))).toBe(false);
  expect(fits("*a".repeat(2000), "a".repeat(4000) + "b")).toBe(false);
});

it("covers a folder and all beneath it by its name, and only what lies in it by a star", () => {
  for (const pattern of ["notes", "/notes", "notes/", "notes/**", "**", "/"]) {
    expect(coversFolder(pattern, "notes")).toBe(true);
    expect(coversFolder(pattern, "notes/deep")).toBe(true);
  }
  for (const pattern of ["notes/*", "*", "note", "", "//notes"]) {
    expect(coversFolder(pattern, "notes")).toBe(false);
  }
});
