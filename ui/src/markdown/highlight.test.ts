import { expect, it } from "vitest";

import { highlighted } from "./highlight";

it("tells the pieces of code apart and changes nothing in it", () => {
  const text = 'def f():\n    return "<b>"  # why';
  const found = highlighted(text, "python");
  expect(found.map((piece) => piece.text).join("")).toBe(text);
  expect(found.find((piece) => piece.text === "def")?.kind).toBe("keyword");
  expect(found.find((piece) => piece.text === '"<b>"')?.kind).toBe("string");
  expect(highlighted(text, "nothing")).toEqual([{ text, kind: "" }]);
});
