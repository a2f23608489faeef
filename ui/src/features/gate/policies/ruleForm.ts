import type { Schemas } from "@/api/client";
import { needed } from "@/api/forms";

import { formOf, type Logic } from "./condition/kinds";
import { asParts, isUnfinished, parsed, printed } from "./condition/parts";
import { NOT_JSON } from "./condition/useFaults";

export type Rule = Schemas["RuleOut"];

/** What a rule does. */
export const ACTIONS: { value: Rule["action"]; label: string }[] = [
  { value: "ALLOW", label: "Allow it" },
  { value: "REQUIRE_APPROVAL", label: "Ask a person first" },
  { value: "BLOCK", label: "Block it" },
  { value: "REDACT", label: "Allow it, with some fields taken out" },
];

/** A rule as the form holds it: the condition as text, empty text instead of nothing. */
export function formValues(rule: Rule | undefined, workspaceId: string) {
  return {
    name: rule?.name ?? "",
    description: rule?.description ?? "",
    action: rule?.action ?? "REQUIRE_APPROVAL",
    condition: printed(rule?.condition ?? { in: [{ var: "effect" }, []] }),
    fields: rule?.fields ?? [],
    workspaceId: rule ? (rule.workspaceId ?? "") : workspaceId,
    connector: rule?.connector ?? "",
  };
}

export type RuleValues = ReturnType<typeof formValues>;

export const checks = {
  name: needed("A name"),
  condition: (text: string) => {
    const logic = parsed(text);
    if (logic === undefined) return NOT_JSON;
    const empty = asParts(logic)?.find(isUnfinished);
    return empty ? `“${formOf(empty.kind).label}” has nothing to compare with` : null;
  },
  fields: (fields: string[], { action }: RuleValues) =>
    action === "REDACT" && fields.length === 0 ? "Say which fields are taken out" : null,
};

/** What both making and changing send. */
export const asBody = (values: RuleValues) => ({
  ...values,
  condition: parsed(values.condition) as Logic,
  fields: values.action === "REDACT" ? values.fields : [],
  workspaceId: values.workspaceId || null,
  connector: values.connector.trim() || null,
});

const HIGHEST = 1_000_000;
const STEP = 10;

/**
 * Where a new rule is put: on top, where it is seen. A rule of a workspace may not come before what the office keeps
 * back, and goes right behind that.
 */
export function newPriority(rules: Rule[], isAdmin: boolean): number {
  const top = Math.max(0, ...rules.map(({ priority }) => priority)) + STEP;
  const keepsBack = rules
    .filter(({ action, enabled, workspaceId }) => !workspaceId && enabled && holdsBack(action))
    .map(({ priority }) => priority - 1);
  return Math.max(0, Math.min(HIGHEST, top, ...(isAdmin ? [] : keepsBack)));
}

const holdsBack = (action: Rule["action"]) => action === "BLOCK" || action === "REDACT";

/** All that makes a rule what it is, to make it again. */
export function recreated({ id: _, createdAt: _made, updatedAt: _changed, ...rest }: Rule) {
  return rest as Omit<typeof rest, "condition"> & { condition: Logic };
}
