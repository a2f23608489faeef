import { needed } from "@/api/forms";
import type { paths } from "@/api/schema";

import type { Tool } from "../useTools";

type Effect = Tool["effect"];
type CallerKind = "user" | "agent" | "client";

export const VALUES = {
  tool: "",
  effect: "" as Effect | "",
  arguments: "{}",
  workspaceId: "",
  kind: "client" as CallerKind,
  name: "",
  tainted: false,
};

export type TryValues = typeof VALUES;

export const checks = {
  tool: needed("A tool"),
  arguments: (text: string) => (asObject(text) ? null : "A JSON object is needed, such as {}"),
};

/** The arguments that a tool needs, to be filled in. */
export function skeleton({ parameters }: Tool): string {
  const properties = (parameters.properties ?? {}) as Record<string, { type?: unknown }>;
  const names = Array.isArray(parameters.required) ? (parameters.required as string[]) : [];
  const filled = names.map((name) => [name, EMPTY[String(properties[name]?.type)] ?? ""]);
  return JSON.stringify(Object.fromEntries(filled), null, 2);
}

const EMPTY: Record<string, unknown> = {
  string: "",
  integer: 0,
  number: 0,
  boolean: false,
  array: [],
  object: {},
};

export function asBody(values: TryValues): Body {
  const given = asObject(values.arguments) ?? {};
  return {
    tool: values.tool.trim(),
    arguments: given,
    effect: values.effect || null,
    workspaceId: values.workspaceId || null,
    caller: { kind: values.kind, name: values.name.trim() || "someone", version: "" },
    run: { id: "", tainted: values.tainted, steps: 0, sources: [] },
    path: pathIn(given),
  };
}

type Body = paths["/api/v1/rules/try"]["post"]["requestBody"]["content"]["application/json"];

function asObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

/** The file that is meant, as a rule sees it: where it goes, if it goes anywhere. */
function pathIn({ to, path }: Record<string, unknown>) {
  const meant = [to, path].find((one) => typeof one === "string" && one !== "");
  if (typeof meant !== "string") return null;
  const names = meant.split("/").filter(Boolean);
  const name = names.pop() ?? "";
  const dot = name.lastIndexOf(".");
  return { folder: names.join("/"), name, suffix: dot > 0 ? name.slice(dot) : "" };
}
