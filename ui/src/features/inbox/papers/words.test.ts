import { describe, expect, it } from "vitest";

import { canBeTried, confidenceInWords, kindOf, type Paper, standingOf } from "./words";

const paper = (change: Partial<Paper>) =>
  ({ state: "new", copyOf: null, textState: "done", ...change }) as Paper;

describe("how sure it is", () => {
  it("is said in words", () => {
    const said = (confidence: number) => confidenceInWords({ confidence, below_minimum: false });
    expect([0.95, 0.8, 0.7].map(said)).toEqual(["Very sure", "Sure", "Fairly sure"]);
  });

  it("is not sure below what the settings ask for, whatever the number", () => {
    expect(confidenceInWords({ confidence: 0.93, below_minimum: true })).toBe("Not sure");
  });
});

describe("how a paper stands", () => {
  it("is being read until its text is there", () => {
    expect(standingOf(paper({ textState: "waiting" })).words).toBe("Being read");
    expect(standingOf(paper({})).words).toBe("Nobody has looked at it yet");
  });

  it("is a copy where the same content was looked at elsewhere, and then no look is offered", () => {
    const copy = paper({ state: "answered", copyOf: "inbox/first.txt" });
    expect(standingOf(copy).words).toBe("A copy");
    expect(canBeTried({ ...copy, state: "failed" })).toBe(false);
  });

  it("can be looked at again unless that happens already or a person said to keep it", () => {
    const tried = ["new", "undecided", "failed", "running", "waiting", "answered"] as const;
    expect(tried.filter((state) => canBeTried(paper({ state })))).toEqual(tried.slice(0, 3));
  });
});

describe("the kind of a file", () => {
  it("is told from its type", () => {
    const word = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
    const types = ["application/pdf", "image/png", "text/csv", word, "application/zip", null];
    expect(types.map(kindOf)).toEqual(["pdf", "picture", "table", "text", "archive", "file"]);
  });
});
