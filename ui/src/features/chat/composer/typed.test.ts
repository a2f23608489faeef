import { describe, expect, it } from "vitest";

import { calledIn, matchingNames, mentionAt, mentioned } from "./mentions";
import { again, message } from "./pasted";
import { commandOf, commandsFor } from "./slash";

const AGENTS = [
  { id: "1", name: "Anna" },
  { id: "2", name: "Anna Lee" },
  { id: "3", name: "Tax clerk" },
];
const typed = (text: string) => calledIn({ text, pasted: [] }, AGENTS)?.id;

describe("what is told to the page", () => {
  it("is a command alone on its line", () => {
    expect(commandOf("/stop ")).toEqual({ name: "stop", rest: "" });
    expect(commandOf("/title  The roof ")).toEqual({ name: "title", rest: "The roof" });
  });

  it("is said to the agent where it is anything else", () => {
    for (const text of ["/stop doing that", "/etc/passwd", "/nothing", "see /stop", "/"])
      expect(commandOf(text)).toBeNull();
  });

  it("is offered while it is typed", () => {
    expect(commandsFor("/").length).toBeGreaterThan(4);
    expect(commandsFor("/st").map(({ name }) => name)).toEqual(["stop"]);
    expect(commandsFor("/st x")).toEqual([]);
    expect(commandsFor("hello /")).toEqual([]);
  });
});

describe("an agent that is called", () => {
  it("is found by its whole name, the longest that fits", () => {
    expect(typed("@anna, look")).toBe("1");
    expect(typed("please @Anna Lee look")).toBe("2");
    expect(typed("@Tax clerk: sum it up")).toBe("3");
    expect(typed("@Annabel")).toBeUndefined();
    expect(typed("mail@anna")).toBeUndefined();
  });

  it("is not called by what was pasted", () => {
    expect(calledIn({ text: "See @Anna", pasted: [[4, 9]] }, AGENTS)).toBeNull();
  });

  it("is offered while its name is typed, and put in whole", () => {
    expect(mentionAt("ask @ta", 7)).toBe("ta");
    expect(mentionAt("ask @", 5)).toBe("");
    expect(mentionAt("a@b", 3)).toBeNull();
    expect(matchingNames(AGENTS, "cl").map(({ id }) => id)).toEqual(["3"]);
    expect(mentioned("ask @ta now", 7, "Tax clerk")).toEqual(["ask @Tax clerk now", 15]);
  });
});

it("keeps what was pasted apart when it is said anew, whatever characters are before it", () => {
  const sent = message({ text: "😀 see this", pasted: [[7, 11]] });
  expect(sent.pasted).toEqual([{ start: 6, end: 10 }]);
  expect(again(sent.content, sent.pasted)).toEqual({ text: "😀 see this", pasted: [[7, 11]] });
  expect(again("hello", undefined)).toEqual({ text: "hello", pasted: [] });
});
