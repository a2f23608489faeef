import { afterEach, expect, it, vi } from "vitest";

import { asQuery, EVERYTHING, isFiltered, withTime } from "./filters";

afterEach(() => vi.useRealTimers());

it("leaves out what is empty or no moment", () => {
  expect(asQuery(EVERYTHING)).toEqual({});
  expect(isFiltered(EVERYTHING)).toBe(false);
  const filters = { ...EVERYTHING, tool: "send_email", from: "yesterday", to: "2026-01-02T03:04Z" };
  expect(asQuery(filters)).toEqual({ tool: "send_email", to: "2026-01-02T03:04:00.000Z" });
  expect(isFiltered(filters)).toBe(true);
});

it("fixes where a span begins when it is chosen", () => {
  vi.useFakeTimers({ now: new Date("2026-05-02T12:00:00Z") });
  const day = withTime({ ...EVERYTHING, to: "2026-01-01" }, "day");
  expect(day).toMatchObject({ time: "day", from: "2026-05-01T12:00:00.000Z", to: "" });
  expect(withTime(day, "").from).toBe("");
});
