import { expect, it } from "vitest";

import {
  begunAndEnded,
  callerOf,
  counted,
  type Detail,
  durationInWords,
  type Entry,
  sourcesOf,
} from "./words";

it("hides the beginning of a call whose end is shown", () => {
  const entry = (phase: string, callId: string) => ({ phase, callId }) as Entry;
  const [begun, ended, open] = [entry("intent", "1"), entry("call", "1"), entry("intent", "2")];
  expect([...begunAndEnded([begun, ended, open])]).toEqual([begun]);
});

it("shows a caller that nobody knows as a program", () => {
  const caller = (kind: string, name: string | null) =>
    callerOf({ caller: { kind, name, version: null } } as Entry);
  expect(caller("agent", "Clerk")).toEqual({ kind: "agent", name: "Clerk", version: undefined });
  expect(caller("robot", null)).toMatchObject({ kind: "client", name: "someone unknown" });
});

it("reads the sources as far as they are pairs", () => {
  const sources = [["stranger", "a mail"], ["web"], "odd"];
  expect(sourcesOf({ sources } as unknown as Detail)).toEqual([
    { label: "stranger", about: "a mail" },
  ]);
});

it("says figures as people do", () => {
  expect([durationInWords(3.14), durationInWords(1234)]).toEqual(["3.1 ms", "1.2 s"]);
  expect([counted(1, "entry", "entries"), counted(2400, "call")]).toEqual([
    "1 entry",
    "2,400 calls",
  ]);
});
