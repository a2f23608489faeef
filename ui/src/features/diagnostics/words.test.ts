import { expect, test } from "vitest";

import { statesInWords, threaded, type TraceLine } from "./words";

const line = (id: string, agentThreadId: string, sessionId?: string) =>
  ({ id, agentThreadId, dirThreadId: "d", detail: { sessionId } }) as TraceLine;

test("an agent's session stands once, after the call that began it", () => {
  const lines = [line("1", ""), line("2", "", "a"), line("3", "a"), line("4", "", "a")];
  const shown = threaded(lines, "d").map((each) => ("session" in each ? each.session : each.id));
  expect(shown).toEqual(["1", "2", "a", "4"]);
  expect(threaded(lines, "a")).toEqual([lines[2]]);
});

test("the states of a cycle are told in words", () => {
  expect(statesInWords({ completed: 3, failed: 1 })).toBe("3 done, 1 failed");
});
