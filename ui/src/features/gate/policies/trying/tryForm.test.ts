import { expect, it } from "vitest";

import type { Tool } from "../useTools";
import { asBody, checks, skeleton, VALUES } from "./tryForm";

it("offers the arguments that a tool needs, to be filled in", () => {
  const parameters = {
    required: ["path", "count", "tags"],
    properties: {
      path: { type: "string" },
      count: { type: "integer" },
      tags: { type: "array" },
      more: {},
    },
  };
  expect(JSON.parse(skeleton({ parameters } as unknown as Tool))).toEqual({
    path: "",
    count: 0,
    tags: [],
  });
});

it("knows which file is meant, as a rule sees it", () => {
  const path = (given: object) => asBody({ ...VALUES, arguments: JSON.stringify(given) }).path;
  expect(path({ path: "Files/Papers/a.tar.gz" })).toEqual({
    folder: "Files/Papers",
    name: "a.tar.gz",
    suffix: ".gz",
  });
  expect(path({ path: "a.txt", to: "Files/b.md" })).toMatchObject({
    folder: "Files",
    suffix: ".md",
  });
  expect(path({ path: "Files/.env" })).toMatchObject({ name: ".env", suffix: "" });
  expect(path({ to: "" })).toBeNull();
});

it("takes a JSON object for the arguments, and nothing else", () => {
  expect(checks.arguments("{}")).toBeNull();
  for (const text of ["", "[]", "null", "{", '"a"'])
    expect(checks.arguments(text), text).not.toBeNull();
});
