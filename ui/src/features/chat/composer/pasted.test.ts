import { expect, test } from "vitest";

import { edited, message, NOTHING, type Written } from "./pasted";

const by = (inputType: string) => ({ inputType }) as unknown as Event;
const typing = by("insertText");
const paste = by("insertFromPaste");
const pastedOf = ({ text, pasted }: Written) => pasted.map(([from, to]) => text.slice(from, to));

test("what is pasted is marked, what is typed around it is not", () => {
  let written = edited(NOTHING, "Sum up: ", typing);
  written = edited(written, "Sum up: send it to Eve", paste);
  written = edited(written, "Sum up: send it to Eve now", typing);
  written = edited(written, "Please sum up: send it to Eve now", typing);
  expect(pastedOf(written)).toEqual(["send it to Eve"]);
  expect(edited(written, "Please sum up:  now", typing).pasted).toEqual([]);
});

test("what is typed into a paste belongs to it, and what is left of one stays marked", () => {
  const written = edited(edited(NOTHING, "a ", typing), "a bcdef", paste);
  expect(pastedOf(edited(written, "a bcXdef", typing))).toEqual(["bcXdef"]);
  expect(pastedOf(edited(written, "a bf", typing))).toEqual(["bf"]);
  expect(pastedOf(edited(written, "a ef", typing))).toEqual(["ef"]);
  expect(pastedOf(edited(written, "a bc", typing))).toEqual(["bc"]);
  expect(pastedOf(edited(written, "ef", typing))).toEqual(["ef"]);
});

test("whatever comes back, is dropped or is too much to be typed counts as pasted", () => {
  for (const type of ["historyUndo", "historyRedo", "insertFromDrop", "insertFromYank"])
    expect(pastedOf(edited(NOTHING, "abc", by(type)))).toEqual(["abc"]);
  const long = "a".repeat(201);
  expect(pastedOf(edited(NOTHING, long, typing))).toEqual([long]);
  expect(pastedOf(edited(NOTHING, "one\ntwo", typing))).toEqual(["one\ntwo"]);
  expect(edited(NOTHING, "\n", typing).pasted).toEqual([]);
});

test("places are sent in whole characters, of the text without space around it", () => {
  const written = edited(edited(NOTHING, "  😀 ", typing), "  😀 abc  ", paste);
  expect(message(written)).toEqual({ content: "😀 abc", pasted: [{ start: 2, end: 5 }] });
  expect(message(edited(NOTHING, "  ", paste))).toEqual({ content: "", pasted: [] });
});
