import { describe, expect, it } from "vitest";

import { askedOf, isFiltered, isSearching } from "./filters";

describe("a search for files", () => {
  it("asks for what is named, and for nothing else", () => {
    expect(askedOf("wsp-1", { q: "rent", folder: "Files", look: "grid" }, 50)).toEqual({
      workspaceId: "wsp-1",
      q: "rent",
      limit: 50,
    });
    const asked = askedOf("wsp-1", { within: "Files/home", type: "pdf", tag: "flat" }, 50);
    expect(asked).toMatchObject({ folder: "Files/home", type: "pdf", tag: "flat", q: "" });
  });

  it("asks for files without any tag rather than for one with a tag", () => {
    const asked = askedOf("wsp-1", { tag: "flat", untagged: true }, 50);
    expect(asked.untagged).toBe(true);
    expect(asked).not.toHaveProperty("tag");
  });

  it("goes to the end of the last day, and leaves out what is no day", () => {
    const asked = askedOf("wsp-1", { after: "2026-02-28", before: "2026-02-28" }, 50);
    const day = Date.parse(String(asked.before)) - Date.parse(String(asked.after));
    expect(day).toBe(24 * 60 * 60 * 1000);
    expect(askedOf("wsp-1", { after: "soon" }, 50).after).toBeUndefined();
  });

  it("begins with words or with a filter", () => {
    expect(isSearching({ folder: "Files", file: "Files/a" })).toBe(false);
    expect(isSearching({ q: "a" })).toBe(true);
    expect(isFiltered({ q: "a" })).toBe(false);
    expect(isSearching({ untagged: true })).toBe(true);
  });
});
