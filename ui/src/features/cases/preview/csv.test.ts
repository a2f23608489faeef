import { describe, expect, it } from "vitest";

import { sorted, tableOf } from "./csv";

describe("a table", () => {
  it("has what stands in quotes as it is", () => {
    const { head, rows } = tableOf('name,says\r\nAda,"Hi, ""you""\nthere"\n\nBo,\n');
    expect(head).toEqual(["name", "says"]);
    expect(rows).toEqual([
      ["Ada", 'Hi, "you"\nthere'],
      ["Bo", ""],
    ]);
  });

  it("may be separated by semicolons or tabs", () => {
    expect(tableOf("a;b,c;d\n1;2;3").rows).toEqual([["1", "2", "3"]]);
    expect(tableOf("a\tb\n1,5\t2").rows).toEqual([["1,5", "2"]]);
  });

  it("may be nothing, or stop in the middle", () => {
    expect(tableOf("")).toEqual({ head: [], rows: [] });
    expect(tableOf('a\n"x').rows).toEqual([["x"]]);
  });

  it("is sorted by numbers as numbers, with what is empty last", () => {
    const rows = [["10"], ["9"], [""], ["-1.5"]];
    expect(sorted(rows, 0, false).flat()).toEqual(["-1.5", "9", "10", ""]);
    expect(sorted(rows, 0, true).flat()).toEqual(["10", "9", "-1.5", ""]);
    expect(sorted([["b"], ["A"], []], 0, false)).toEqual([["A"], ["b"], []]);
  });
});
