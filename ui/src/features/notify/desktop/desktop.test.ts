import { describe, expect, it } from "vitest";

import { type News, noticeOf } from "./notice";

const news = (event: News["event"]): News => ({
  event,
  caseId: "c",
  subject: "The lamp",
  director: "Support",
});

describe("a notification", () => {
  it("names no mail unless it may", () => {
    expect(noticeOf([news("done")], false)).toEqual({ title: "A result is done", body: "" });
    expect(noticeOf([news("done")], true).body).toBe("The lamp\nSupport");
  });

  it("tells of many at once", () => {
    const many = [news("done"), news("done"), news("waiting")];
    expect(noticeOf(many, true)).toEqual({ title: "3 results", body: "1 waiting for you, 2 done" });
  });
});
