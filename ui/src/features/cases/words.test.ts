import { describe, expect, it } from "vitest";

import { authorInWords, type Case, type Item, shapeOf, stateOf, titleOf } from "./words";

const item = (change: Partial<Item>) =>
  ({
    label: "",
    tags: [],
    mimeType: null,
    encoding: "utf8",
    author: { id: "a", name: "Support" },
    changedBy: "director",
    context: { createdBy: "director", tool: "workspace_add_item" },
    ...change,
  }) as Item;

describe("how an item is shown", () => {
  it.each([
    ["text/markdown", "utf8", "markdown"],
    ["text/html", "base64", "html"],
    ["application/ld+json", "utf8", "json"],
    ["image/png", "base64", "picture"],
    ["application/pdf", "base64", "pdf"],
    ["text/csv", "utf8", "csv"],
    ["application/zip", "base64", "file"],
    [null, "utf8", "text"],
    // A drawing that could run is shown as the text that it is, or kept.
    ["image/svg+xml", "utf8", "text"],
    ["image/svg+xml", "base64", "file"],
  ] as const)("%s in %s is %s", (mimeType, encoding, shape) => {
    expect(shapeOf({ mimeType, encoding })).toBe(shape);
  });

  it("is named by its label, or by what it is", () => {
    expect(titleOf(item({ label: "Summary" }))).toBe("Summary");
    expect(titleOf(item({ mimeType: "application/json", tags: ["facts"] }))).toBe("Data, facts");
  });

  it("says who made it and who changed it", () => {
    expect(authorInWords(item({}))).toBe("Support");
    expect(authorInWords(item({ changedBy: "person" }))).toBe("Support, changed by a person");
  });
});

it("a mail stands as the most pressing of its cases", () => {
  const cases = (...states: Case["state"][]) => states.map((state) => ({ state }) as Case);
  expect(stateOf(cases("done", "working", "failed"))).toBe("failed");
  expect(stateOf(cases("done", "waiting", "failed"))).toBe("waiting");
  expect(stateOf(cases("done", "done"))).toBe("done");
});
