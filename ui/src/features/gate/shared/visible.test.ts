import { describe, expect, it } from "vitest";

import { hiddenIn, visibleParts } from "./visible";

describe("what one does not see", () => {
  it("is shown by its name, in its place", () => {
    expect(visibleParts("abc\u202etxt.exe")).toEqual([
      "abc",
      { code: "U+202E", name: "right-to-left override" },
      "txt.exe",
    ]);
    expect(visibleParts("\u{e0041}")).toEqual([{ code: "U+E0041", name: "hidden character" }]);
  });

  it("is told of once", () => {
    expect(hiddenIn("a\u200bb\u200bc\u00ad")).toEqual([
      "U+200B (zero-width space)",
      "U+00AD (soft hyphen)",
    ]);
  });

  it("is nothing in ordinary text, line breaks, tabs and pictures made of several", () => {
    for (const text of ["Grüße,\n\tAda", "👩\u200d🔬", "❤\ufe0f", "می\u200cخواهم", ""]) {
      expect(visibleParts(text), text).toEqual([text]);
    }
    expect(visibleParts("a\r\nb")).toEqual(["a\nb"]);
  });

  it("is found where a joiner joins nothing", () => {
    expect(hiddenIn("pay\u200dpal")).toEqual(["U+200D (zero-width joiner)"]);
    expect(hiddenIn("a\ufe0f")).toHaveLength(1);
  });
});
