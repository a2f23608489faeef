import { expect, test } from "vitest";

import { filesOf } from "./attachments";

const FILE = { name: "a.txt", type: "text/plain", size: 3, digest: "ab", text: "one" };

test("files of a card are those that say what they are", () => {
  expect(filesOf({ attachments: [FILE, { ...FILE, text: null }] })).toHaveLength(2);
  expect(filesOf({ attachments: ["a.txt", null, { ...FILE, size: "3" }] })).toEqual([]);
  expect(filesOf({})).toEqual([]);
});
