import { describe, expect, it } from "vitest";

import { affectedBy, affectedByAny } from "./affected";

describe("what an event makes stale", () => {
  it("is what stands at its noun and at its own type", () => {
    const started = affectedBy("session.started");
    expect(started).toContain("/api/v1/auth/sessions");
    expect(started).toContain("/api/v1/sign-ins");
    expect(affectedBy("session.ended")).not.toContain("/api/v1/sign-ins");
  });

  it("is nothing for what no page shows", () => {
    expect(affectedBy("delivery.requested")).toEqual([]);
    expect(affectedBy("rules.changed")).toEqual([]);
  });

  it("is listed once, however many lines say it", () => {
    const found = affectedBy("user.changed");
    expect(found).toHaveLength(new Set(found).size);
  });
});

describe("what a change from here makes stale", () => {
  it("is all that any event about such a thing would", () => {
    const user = affectedByAny(["user"]);
    for (const type of ["user.changed", "user.created", "user.password_changed"]) {
      expect(user).toEqual(expect.arrayContaining(affectedBy(type)));
    }
  });

  it("is nothing else", () => {
    expect(affectedByAny(["rule"]).toSorted()).toEqual(affectedBy("rule.changed").toSorted());
    expect(affectedByAny([])).toEqual([]);
  });
});
