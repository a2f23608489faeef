import { expect, it } from "vitest";

import { grown, type Writing } from "./useChunks";

const chunk = (text: string, offset: number, more = {}) => ({
  type: "chunk" as const,
  channel: "run/1",
  attempt: 1,
  done: false,
  text,
  offset,
  ...more,
});
const after = (...chunks: ReturnType<typeof chunk>[]) =>
  chunks.reduce<Writing | undefined>(grown, undefined);

it("puts the pieces of a text together", () => {
  expect(after(chunk("Hel", 0), chunk("lo", 3), chunk("", 5, { done: true }))).toEqual({
    attempt: 1,
    text: "Hello",
    end: 5,
    hasGap: false,
    done: true,
  });
});

it("counts characters as the server does, and not the halves of them", () => {
  expect(after(chunk("👍👍", 0), chunk("!", 2))).toMatchObject({ text: "👍👍!", hasGap: false });
});

it("knows that something was missed, before the first piece or between two", () => {
  expect(after(chunk("lo", 3))?.hasGap).toBe(true);
  expect(after(chunk("a", 0), chunk("c", 2), chunk("d", 3))?.hasGap).toBe(true);
});

it("starts again with another attempt, and with another beginning", () => {
  const again = after(chunk("first", 0), chunk("sec", 0, { attempt: 2 }));
  expect(again).toMatchObject({ text: "sec", attempt: 2, hasGap: false });
  expect(after(chunk("abc", 0), chunk("x", 0))).toMatchObject({ text: "x", end: 1 });
});
