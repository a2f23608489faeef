import { describe, expect, it } from "vitest";

import { scanInWords, scanVerb } from "./scan";

const done = {
  state: "done",
  scanned: 1200,
  files: 1200,
  waiting: 0,
  failed: 0,
  problem: null,
  watching: null,
} as const;

describe("the index of a notebook", () => {
  it("says how far it is, and what it could not read", () => {
    expect(scanInWords(done)).toBe("1,200 files in the index.");
    expect(scanInWords({ ...done, waiting: 3, failed: 1 })).toBe(
      "1,200 files in the index, 3 still to be read, 1 could not be read.",
    );
    expect(scanInWords({ ...done, state: "running", scanned: 1 })).toBe(
      "Looking through the folder: 1 file so far.",
    );
    expect(scanInWords({ ...done, problem: "The folder is gone." })).toBe("The folder is gone.");
  });

  it("can be stopped while it looks, goes on where it stopped, and looks again once it is done", () => {
    expect(scanVerb("running").action).toBe("stop");
    expect(scanVerb("stopped")).toEqual({ action: "start", words: "Go on" });
    expect(scanVerb("done")).toEqual({ action: "start", words: "Look again" });
  });
});
