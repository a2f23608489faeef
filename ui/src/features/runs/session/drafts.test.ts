import { expect, it } from "vitest";

import { rest } from "./drafts";

it("keeps what was typed while the words were on their way", () => {
  expect(rest("Hello", "Hello")).toBe("");
  expect(rest("Hello and more", "Hello")).toBe("and more");
  expect(rest("Something else", "Hello")).toBe("Something else");
});
