import { expect, it } from "vitest";

import { rest } from "./drafts";

it("keeps what was typed while the words were on their way", () => {
  const left = (text: string) => rest({ text, pasted: [[6, 9]] }, "Hello");
  expect(rest({ text: "Hello", pasted: [[0, 5]] }, "Hello")).toEqual({ text: "", pasted: [] });
  expect(left("Hello and more")).toEqual({ text: "and more", pasted: [[0, 3]] });
  expect(left("Something else").text).toBe("Something else");
});
