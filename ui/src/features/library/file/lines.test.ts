import { describe, expect, it } from "vitest";

import { asFile, endsOf, inField } from "./lines";

describe("the ends of lines", () => {
  it("stay as the file has them, though a field has only one kind", () => {
    for (const text of ["one\ntwo\n", "one\r\ntwo\r\n", "one", ""]) {
      expect(asFile(inField(text), endsOf(text))).toBe(text);
    }
  });

  it("are said to be mixed where they are", () => {
    expect(endsOf("one\r\ntwo\n")).toBe("mixed");
    expect(endsOf("one\rtwo")).toBe("mixed");
    expect(asFile("one\ntwo\n", "mixed")).toBe("one\ntwo\n");
  });
});
