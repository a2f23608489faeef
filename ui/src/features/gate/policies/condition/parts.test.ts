import { describe, expect, it } from "vitest";

import { KINDS, type Kind } from "./kinds";
import { asLogic, asParts, isUnfinished, newPart, type Part, parsed, printed } from "./parts";
import { inOneLine, inWords } from "./words";

const SOME: Record<Kind, string[]> = {
  tool: ["send_email", "reply_email"],
  effect: ["send"],
  callerKind: ["client"],
  caller: ["Claude Code"],
  folder: ["Files/Papers", "Files/Letters"],
  suffix: [".pdf"],
  tainted: [],
  ungrounded: [],
  hours: ["22", "6"],
  weekdays: ["6", "7"],
};

describe("a condition", () => {
  it("is the same again after it was written as JSON-Logic, for every kind and its opposite", () => {
    for (const kind of Object.keys(KINDS) as Kind[]) {
      for (const not of [false, true]) {
        const parts: Part[] = [{ kind, not, values: SOME[kind] }];
        expect(asParts(asLogic(parts)), kind).toEqual(parts);
      }
    }
  });

  it("of several lines holds if all of them do", () => {
    const parts: Part[] = [
      { kind: "effect", not: false, values: ["send", "share"] },
      { kind: "tainted", not: true, values: [] },
    ];
    const logic = asLogic(parts);
    expect(logic).toHaveProperty("and");
    expect(asParts(logic)).toEqual(parts);
    expect(asLogic([])).toBe(true);
    expect(asParts(true)).toEqual([]);
  });

  it("is left to JSON where it says more than the form can", () => {
    expect(asParts({ ">": [{ var: "run.steps" }, 3] })).toBeNull();
    expect(asParts({ in: [{ var: "time.weekday" }, [8]] })).toBeNull();
  });

  it("is unfinished while nothing is chosen where something has to be", () => {
    expect(isUnfinished(newPart("tool"))).toBe(true);
    expect(isUnfinished(newPart("tainted"))).toBe(false);
    expect(isUnfinished(newPart("weekdays"))).toBe(false);
  });

  it("counts the hours up to the second one, past midnight too", () => {
    const hours = (values: string[]) => asLogic([{ kind: "hours", not: false, values }]);
    expect(hours(["8", "18"])).toEqual({ "<=": [8, { var: "time.hour" }, 17] });
    expect(hours(["22", "6"])).toHaveProperty("or");
  });
});

describe("in words", () => {
  it("it is a sentence", () => {
    const parts: Part[] = [
      { kind: "effect", not: false, values: ["send", "share"] },
      { kind: "tainted", not: false, values: [] },
      { kind: "weekdays", not: true, values: ["6", "7"] },
    ];
    expect(inWords(asLogic(parts))).toBe(
      "When it would send or share, and it has read strangers' words, and it is not Saturday or Sunday",
    );
    expect(inWords(true)).toBe("Always");
    expect(inWords({ in: [{ var: "tool" }, []] })).toMatch(/^Never/);
  });

  it("it is JSON where there are none, and never too long", () => {
    expect(inOneLine({ ">": [1, 2] })).toBe('When {">": [1, 2]}');
    expect(inOneLine({ ">": ["x".repeat(500), 2] }).length).toBeLessThan(180);
  });
});

it("prints JSON for people and reads it again", () => {
  const logic = {
    and: [{ "==": [{ var: "tool" }, "write_file"] }, { in: [{ var: "a" }, [1, 2, 3]] }],
  };
  expect(printed({ a: [1, 2] })).toBe('{"a": [1, 2]}');
  expect(printed(logic).split("\n").length).toBeGreaterThan(2);
  expect(parsed(printed(logic))).toEqual(logic);
  expect(parsed("{")).toBeUndefined();
});
