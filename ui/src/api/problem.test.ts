import { describe, expect, it } from "vitest";

import { adviceFor, detailOf, fieldErrorsOf, isGone, statusOf, traceOf } from "./problem";

const problem = (status: number, more = {}) => ({
  type: "about:blank",
  title: "A problem",
  status,
  detail: "The agent is not there.",
  trace_id: "t-1",
  ...more,
});

describe("what went wrong", () => {
  it("is told in the server's words", () => {
    expect(detailOf(problem(404))).toBe("The agent is not there.");
    expect(statusOf(problem(404))).toBe(404);
    expect(traceOf(problem(404))).toBe("t-1");
  });

  it("is told in our words where the server did not answer, or not with a problem", () => {
    expect(detailOf(new TypeError("Failed to fetch"))).toMatch(/does not answer/);
    expect(detailOf(new Error("boom"))).toMatch(/Something went wrong/);
    expect(statusOf(null)).toBeUndefined();
    expect(traceOf("nonsense")).toBeUndefined();
  });

  it("comes with advice where the words do not say what to do", () => {
    expect(adviceFor(problem(403))).toMatch(/admin/);
    expect(adviceFor(problem(404))).toMatch(/deleted/);
    expect(adviceFor(problem(429))).toMatch(/Wait/);
    expect(adviceFor(problem(503))).toMatch(/trace/);
    expect(adviceFor(problem(422))).toBeNull();
  });

  it("hides what was read before only if it is gone or forbidden", () => {
    expect([403, 404, 409, 500].filter((status) => isGone(problem(status)))).toEqual([403, 404]);
    expect(isGone(new TypeError())).toBe(false);
  });

  it("is one sentence for each field", () => {
    const errors = { name: ["is too long", "has a slash"], "scope.folders.0": ["is empty"] };
    expect(fieldErrorsOf(problem(422, { errors }))).toEqual({
      name: "Is too long; has a slash",
      "scope.folders.0": "Is empty",
    });
    expect(fieldErrorsOf(problem(422))).toEqual({});
  });
});
