import { describe, expect, it } from "vitest";

import { numbered } from "./names";

describe("another name for a file", () => {
  it("has its number before the ending, and leaves the folders alone", () => {
    expect(numbered("Files/a.b/rent.pdf", 2)).toBe("Files/a.b/rent (2).pdf");
    expect(numbered("Files/a.b/rent", 3)).toBe("Files/a.b/rent (3)");
    expect(numbered("Files/.profile", 2)).toBe("Files/.profile (2)");
  });
});
