import { describe, expect, it } from "vitest";

import { bodyOf, stateInWords, valueInField, valueOf, writtenTags } from "./words";

describe("a file in words", () => {
  it("says why there is no text", () => {
    expect(stateInWords({ state: "failed", problem: "encrypted PDF" })).toBe(
      "No text: encrypted PDF",
    );
    expect(stateInWords({ state: "waiting", problem: null })).toContain("still");
    expect(stateInWords({ state: "ready", problem: null })).toBe("No text was found in it.");
  });

  it("has properties that stay what they are: numbers, lists, words", () => {
    for (const value of ["done", 3, -1.5, true, ["a", "b"], { a: 1 }, "1st", "2026-11-16"]) {
      expect(valueOf(valueInField(value))).toEqual(value);
    }
    expect(valueOf("[not json]")).toBe("[not json]");
  });

  it("is shown without its front matter", () => {
    const file = { content: "---\na: 1\n---\n# Rent\n", properties: { a: 1 } };
    expect(bodyOf(file as never, "markdown")).toBe("# Rent\n");
    expect(bodyOf(file as never, "text")).toBe(file.content);
  });

  it("has tags of its own, in a list or in a line", () => {
    expect([...writtenTags({ tags: ["Flat", "rent"] })]).toEqual(["flat", "rent"]);
    expect(writtenTags({ tags: "flat, rent" }).has("rent")).toBe(true);
    expect(writtenTags(null).size).toBe(0);
  });
});
