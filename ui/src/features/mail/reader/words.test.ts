import { expect, it } from "vitest";

import { type Folder, inOrder, senderOf, shortTime, sizeInWords, subjectOf } from "./words";

it("puts the folders that everybody knows first, then others, then labels", () => {
  const folder = (title: string, role: string | null, kind = "folder") =>
    ({ title, role, kind }) as Folder;
  const folders = [
    folder("Work", null, "label"),
    folder("Zebra", null),
    folder("Trash", "trash"),
    folder("Apples", null),
    folder("INBOX", "inbox"),
  ];
  expect(inOrder(folders).map(({ title }) => title)).toEqual([
    "INBOX",
    "Trash",
    "Apples",
    "Zebra",
    "Work",
  ]);
});

it("calls a mail by what there is of it", () => {
  expect(senderOf({ sender: { name: "", address: "a@example.com" } })).toBe("a@example.com");
  expect(senderOf({ sender: { name: "", address: "" } })).toBe("Nobody");
  expect(subjectOf({ subject: "" })).toBe("No subject");
});

it("says the hour of today, the day of this year, and the year of older ones", () => {
  const now = new Date(2026, 4, 20, 18, 0);
  const at = (...parts: [number, number, number, number, number]) =>
    new Date(...parts).toISOString();
  expect(shortTime(at(2026, 4, 20, 9, 5), now)).toBe("09:05");
  expect(shortTime(at(2026, 4, 19, 9, 5), now)).toBe("May 19");
  expect(shortTime(at(2025, 4, 20, 9, 5), now)).toBe("May 20, 2025");
});

it("says sizes", () => {
  expect([999, 2600, 1_234_567].map(sizeInWords)).toEqual(["999 bytes", "3 kB", "1.2 MB"]);
});
