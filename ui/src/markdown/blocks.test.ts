import { describe, expect, it } from "vitest";

import { blocks } from "./blocks";

const paragraph = (text: string) => ({ kind: "paragraph", text });

describe("a text in blocks", () => {
  it("has paragraphs between empty lines, with their line breaks", () => {
    expect(blocks("One\r\n two\r\n\r\n\r\nThree")).toEqual([
      paragraph("One\ntwo"),
      paragraph("Three"),
    ]);
  });

  it("has headings and rules", () => {
    expect(blocks("## Plan\n---\n#not one")).toEqual([
      { kind: "heading", text: "Plan" },
      { kind: "rule" },
      paragraph("#not one"),
    ]);
  });

  it("keeps code as it was written, until its own fence", () => {
    const text = "````js\n```\n  # no heading\n````\nafter";
    expect(blocks(text)).toEqual([
      { kind: "code", language: "js", text: "```\n  # no heading" },
      paragraph("after"),
    ]);
  });

  it("takes code without an end for code to the end: it is still being written", () => {
    expect(blocks("```\nlet a")).toEqual([{ kind: "code", language: "", text: "let a" }]);
  });

  it("has quotes with blocks of their own", () => {
    expect(blocks("> # Said\n> so\nno more")).toEqual([
      { kind: "quote", blocks: [{ kind: "heading", text: "Said" }, paragraph("so")] },
      paragraph("no more"),
    ]);
  });

  it("has lists within lists, and sentences that go on", () => {
    expect(blocks("- one\n  - inner\n- two\ngoes on")).toEqual([
      {
        kind: "list",
        ordered: false,
        start: 1,
        items: [
          [
            paragraph("one"),
            { kind: "list", ordered: false, start: 1, items: [[paragraph("inner")]] },
          ],
          [paragraph("two\ngoes on")],
        ],
      },
    ]);
  });

  it("counts from where a list begins, and begins another one for another kind", () => {
    const found = blocks("3. three\n4. four\n- bullet\n\nafter");
    expect(
      found.map((block) => (block.kind === "list" ? [block.ordered, block.start] : block)),
    ).toEqual([[true, 3], [false, 1], paragraph("after")]);
  });

  it("has tables, with or without bars at the edges", () => {
    expect(blocks("| a | b |\n|---|:--:|\n| 1 | 2 |\nc | d\n\nafter")).toEqual([
      {
        kind: "table",
        head: ["a", "b"],
        rows: [
          ["1", "2"],
          ["c", "d"],
        ],
      },
      paragraph("after"),
    ]);
    expect(blocks("a | b\nno dashes")).toEqual([paragraph("a | b\nno dashes")]);
  });

  it("stops going deeper at some depth", () => {
    let deepest = 0;
    const dive = (found: ReturnType<typeof blocks>, depth: number) => {
      deepest = Math.max(deepest, depth);
      for (const block of found) if (block.kind === "quote") dive(block.blocks, depth + 1);
    };
    dive(blocks(`${"> ".repeat(5000)}deep`), 0);
    expect(deepest).toBe(6);
  });
});
