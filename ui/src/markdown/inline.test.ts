import { describe, expect, it } from "vitest";

import { inline, webAddress } from "./inline";

const text = (words: string) => ({ kind: "text", text: words });

describe("a line in pieces", () => {
  it("has what is strong, emphasised and code, one within the other", () => {
    expect(inline("a **b _c_** `**d**`")).toEqual([
      text("a "),
      { kind: "strong", parts: [text("b "), { kind: "em", parts: [text("c")] }] },
      text(" "),
      { kind: "code", text: "**d**" },
    ]);
  });

  it("leaves stars and underscores within words and sums alone", () => {
    for (const line of ["snake_case_name", "2 * 3 * 4", "a*b*c"]) {
      expect(inline(line)).toEqual([text(line)]);
    }
  });

  it("makes links of web addresses only", () => {
    expect(inline("[here](https://example.com/a)")).toEqual([
      { kind: "link", href: "https://example.com/a", parts: [text("here")] },
    ]);
    expect(inline("[here](javascript:alert)")).toEqual([text("[here](javascript:alert)")]);
  });

  it("loads no picture: it becomes a link", () => {
    expect(inline("![spy](https://example.com/p.png)")).toEqual([
      { kind: "link", href: "https://example.com/p.png", parts: [text("spy")] },
    ]);
  });

  it("does not take the full stop for a part of the address", () => {
    expect(inline("See https://example.com/a.")).toEqual([
      text("See "),
      { kind: "link", href: "https://example.com/a", parts: [text("https://example.com/a")] },
      text("."),
    ]);
  });
});

it("knows a web address from anything else", () => {
  expect(webAddress("HTTPS://Example.com")).toBe("https://example.com/");
  for (const other of ["javascript:alert(1)", "//example.com", "data:text/html,x", "https://"]) {
    expect(webAddress(other), other).toBeNull();
  }
});
