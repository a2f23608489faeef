import { expect, it } from "vitest";

import type { Schemas } from "@/api/client";

import { daily, dayInWords, summed } from "./sums";

const line = (day: string, agentId: string, money: number) =>
  ({
    day,
    agentId,
    money,
    saved: money / 2,
    calls: 1,
    inputTokens: 10,
    outputTokens: 5,
  }) as unknown as Schemas["SpendRow"];

it("adds up what belongs together, the dearest first", () => {
  const lines = [
    line("2026-01-01", "a", 1),
    line("2026-01-02", "b", 3),
    line("2026-01-02", "a", 1),
  ];
  const sums = summed(lines, ({ day }) => ({ key: day, name: day }));
  expect(sums).toEqual([
    { key: "2026-01-02", name: "2026-01-02", calls: 2, tokens: 30, money: 4, saved: 2 },
    { key: "2026-01-01", name: "2026-01-01", calls: 1, tokens: 15, money: 1, saved: 0.5 },
  ]);
});

it("has every one of the last days, also those of which nothing is told", () => {
  const found = daily([line("2026-02-27", "a", 2)], 3, new Date(2026, 1, 28, 12));
  expect(found.map(({ key, money }) => [key, money])).toEqual([
    ["2026-02-26", 0],
    ["2026-02-27", 2],
    ["2026-02-28", 0],
  ]);
});

it("ends with the office's day where that is ahead", () => {
  const found = daily([line("2026-03-01", "a", 2)], 2, new Date(2026, 1, 28, 12));
  expect(found.map(({ key }) => key)).toEqual(["2026-02-28", "2026-03-01"]);
  expect(dayInWords("2026-03-01")).toBe("Mar 1");
});
