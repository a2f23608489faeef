import { describe, expect, it } from "vitest";

import type { Case, Item } from "../words";
import { byMail, casesOf, type Choice, HEIGHTS, rowAt, rowsOf, topsOf } from "./tree";

const made = (id: string, mail: string) => ({ id, mail: { id: mail } }) as Case;
const cases = [made("c3", "m2"), made("c2", "m1"), made("c4", "m2"), made("c1", "m1")];
const item = { id: "i1" } as Item;

const tree = (opened: Choice[], items = new Map<string, Item[] | undefined>()) =>
  rowsOf({ cases, opened: new Set(opened), items });

describe("the tree", () => {
  it("has each mail once, where its newest case is", () => {
    expect(byMail(cases).map((group) => group.map(({ id }) => id))).toEqual([
      ["c3", "c4"],
      ["c2", "c1"],
    ]);
    expect(tree([]).map(({ key }) => key)).toEqual(["mail m2", "mail m1"]);
  });

  it("shows what is unfolded, and nothing of what lies in something folded", () => {
    expect(tree(["mail m1", "case c3"]).map(({ key }) => key)).toEqual([
      "mail m2",
      "mail m1",
      "case c2",
      "case c1",
    ]);
  });

  it("shows items, that there are none, or that they are on their way", () => {
    const items = new Map([
      ["c2", [item]],
      ["c1", []],
    ]);
    const rows = tree(["mail m1", "case c2", "case c1", "mail m2", "case c3"], items);
    expect(rows.map((row) => (row.kind === "note" ? row.text : row.key))).toEqual([
      "mail m2",
      "case c3",
      "Loading…",
      "case c4",
      "mail m1",
      "case c2",
      "item i1",
      "case c1",
      "No items",
    ]);
  });

  it("says which cases a row stands for", () => {
    const [mail] = tree([]);
    expect(casesOf(mail).map(({ id }) => id)).toEqual(["c3", "c4"]);
    expect(casesOf(undefined)).toEqual([]);
  });
});

describe("the rows in sight", () => {
  const tops = topsOf(tree(["mail m2"]));

  it("are found by their height", () => {
    expect(tops).toEqual([0, 62, 98, 134, 134 + HEIGHTS.mail]);
    expect([0, 61, 62, 97, 98, 135, 9999].map((height) => rowAt(tops, height))).toEqual([
      0, 0, 1, 1, 2, 3, 3,
    ]);
  });

  it("are none where there are none", () => {
    expect(topsOf([])).toEqual([0]);
    expect(rowAt([0], 50)).toBe(0);
  });
});
