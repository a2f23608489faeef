import { describe, expect, it } from "vitest";

import { entered, type FieldKind, fieldsOf, read } from "./schemaFields";

const SCHEMA = {
  required: ["to", "count"],
  properties: {
    to: { type: "string", maxLength: 200 },
    body: { type: "string" },
    count: { type: "integer" },
    urgent: { type: "boolean" },
    how: { enum: ["fast", "slow"] },
    due: { type: ["string", "null"], format: "date" },
    tags: { type: "array" },
  },
};

const fields = (values: Record<string, unknown> = {}) => {
  const found = fieldsOf(SCHEMA, values);
  if (!found) throw new Error("no form");
  return found;
};
const kinds = (values?: Record<string, unknown>) =>
  Object.fromEntries(fields(values).map(({ name, kind }) => [name, kind]));

describe("a form for a tool's arguments", () => {
  it("has a field of a fitting kind for each argument", () => {
    const expected: Record<string, FieldKind> = {
      to: "line",
      body: "text",
      count: "number",
      urgent: "yes-no",
      how: "choice",
      due: "date",
      tags: "json",
    };
    expect(kinds()).toEqual(expected);
  });

  it("gives a long text room, and a day that is none a line so that it is not lost", () => {
    const { to, due } = kinds({ to: "a\nb", due: "some day" });
    expect([to, due]).toEqual(["text", "line"]);
  });

  it("is none if an argument is not described", () => {
    expect(fieldsOf(SCHEMA, { surprise: 1 })).toBeNull();
    expect(fieldsOf(undefined, {})).toBeNull();
  });

  it("knows a day by its pattern too", () => {
    const schema = {
      properties: { on: { type: "string", pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$" } },
    };
    expect(fieldsOf(schema, {})?.[0]?.kind).toBe("date");
  });
});

describe("what is read from it", () => {
  const asked = { to: "ada@example.com", count: 2, urgent: true, tags: ["a"] };

  it("is exactly what was asked where nothing was touched", () => {
    const all = fields(asked);
    expect(read(all, entered(all, asked), asked)).toEqual({ values: asked, errors: {} });
  });

  it("is what was typed, each as its kind", () => {
    const all = fields(asked);
    const typed = { ...entered(all, asked), count: "3", urgent: false, tags: '["b"]', how: "slow" };
    expect(read(all, typed, asked).values).toEqual({
      to: "ada@example.com",
      count: 3,
      urgent: false,
      tags: ["b"],
      how: "slow",
    });
  });

  it("says what is no number and no JSON", () => {
    const all = fields(asked);
    const typed = { ...entered(all, asked), count: "many", tags: "[" };
    const { values, errors } = read(all, typed, asked);
    expect(Object.keys(errors)).toEqual(["count", "tags"]);
    expect(values).not.toHaveProperty("count");
  });

  it("is nothing, or null, or empty for what was emptied, as the schema has it", () => {
    const before = { ...asked, due: "2026-01-02", body: "x" };
    const all = fields(before);
    const typed = { ...entered(all, before), to: "", count: "", due: "", body: "" };
    const { values } = read(all, typed, before);
    expect(values).toEqual({ to: "", due: null, urgent: true, tags: ["a"] });
  });
});
