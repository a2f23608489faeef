import { expect, it } from "vitest";

import { asBody, checks, formValues, newPriority, type Rule } from "./ruleForm";

const rule = (more: Partial<Rule>): Rule => ({
  ...({} as Rule),
  enabled: true,
  priority: 10,
  ...more,
});

it("puts a new rule on top", () => {
  expect(newPriority([], true)).toBe(10);
  expect(newPriority([rule({ priority: 40 }), rule({ priority: 20 })], true)).toBe(50);
  expect(newPriority([rule({ priority: 1_000_000 })], true)).toBe(1_000_000);
});

it("puts a workspace's rule behind what the office keeps back", () => {
  const rules = [
    rule({ priority: 90, action: "ALLOW", workspaceId: null }),
    rule({ priority: 50, action: "BLOCK", workspaceId: null }),
    rule({ priority: 20, action: "BLOCK", workspaceId: null, enabled: false }),
    rule({ priority: 10, action: "BLOCK", workspaceId: "w" }),
  ];
  expect(newPriority(rules, false)).toBe(49);
  expect(newPriority(rules, true)).toBe(100);
});

it("sends no fields but with a rule that takes fields out", () => {
  const values = { ...formValues(undefined, "w"), fields: ["args.body"], connector: " " };
  expect(asBody({ ...values, action: "BLOCK" })).toMatchObject({ fields: [], connector: null });
  expect(asBody({ ...values, action: "REDACT" }).fields).toEqual(["args.body"]);
  expect(checks.fields([], { ...values, action: "REDACT" })).not.toBeNull();
  expect(checks.fields([], { ...values, action: "BLOCK" })).toBeNull();
});
