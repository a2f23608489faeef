import { expect, it } from "vitest";

import { plain } from "./plain";

it("leaves Markdown's marks out of a mail, and keeps its lists and addresses", () => {
  const markdown = [
    "# Dear Cleo",
    "",
    "the **lamp** is on _its_ way.",
    "",
    "- one",
    "- two `x`",
    "",
    "1. first",
    "2. second",
    "",
    "> quoted",
    "",
    "[Track it](https://post.example/1) or https://post.example/2",
  ].join("\n");
  expect(plain(markdown)).toBe(
    [
      "Dear Cleo",
      "the lamp is on its way.",
      "- one\n- two x",
      "1. first\n2. second",
      "> quoted",
      "Track it (https://post.example/1) or https://post.example/2",
    ].join("\n\n"),
  );
});

it("leaves plain words as they are", () => {
  expect(plain("Hello <b>you</b>\nand you")).toBe("Hello <b>you</b>\nand you");
});
