import { argumentsOf, formOf, KINDS, type Kind, type Logic } from "./kinds";

/** One line of the form; all of them have to hold. */
export interface Part {
  kind: Kind;
  not: boolean;
  values: string[];
}

const ALL = Object.keys(KINDS) as Kind[];

export const newPart = (kind: Kind): Part => ({ kind, not: false, values: formOf(kind).initial });

/** A line that compares with nothing yet. */
export const isUnfinished = ({ kind, values }: Part) =>
  formOf(kind).input !== "none" && values.length === 0;

/** The form's lines as JSON-Logic; none of them: always. */
export function asLogic(parts: Part[]): Logic {
  const [first, ...more] = parts.map(partAsLogic);
  if (first === undefined) return true;
  return more.length === 0 ? first : { and: [first, ...more] };
}

/** JSON-Logic as lines of the form; null if it says more than they can. */
export function asParts(logic: Logic): Part[] | null {
  if (logic === true) return [];
  const joined = argumentsOf(logic, "and") as Logic[];
  const parts = (joined.length > 0 ? joined : [logic]).map(asPart);
  return parts.every((part) => part !== null) ? parts : null;
}

/** Text as JSON-Logic; undefined if it is not even JSON. */
export function parsed(text: string): Logic | undefined {
  try {
    return JSON.parse(text) as Logic;
  } catch {
    return undefined;
  }
}

/** JSON for people: short things stay on their line. */
export function printed(value: unknown, indent = ""): string {
  const flat = JSON.stringify(value);
  if (flat.length <= 56 || typeof value !== "object" || value === null) return onOneLine(value);
  const inner = `${indent}  `;
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  const lines = Array.isArray(value)
    ? value.map((one) => printed(one, inner))
    : Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${printed(one, inner)}`);
  return `${open}\n${lines.map((line) => inner + line).join(",\n")}\n${indent}${close}`;
}

export function onOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, one]) => `${JSON.stringify(name)}: ${onOneLine(one)}`,
  );
  return `{${members.join(", ")}}`;
}

function partAsLogic({ kind, not, values }: Part): Logic {
  const logic = formOf(kind).write(values);
  return not ? { "!": [logic] } : logic;
}

function asPart(logic: Logic): Part | null {
  const [denied] = argumentsOf(logic, "!") as Logic[];
  const plain = denied ?? logic;
  for (const kind of ALL) {
    const values = formOf(kind).read(plain);
    if (values) return { kind, not: denied !== undefined, values };
  }
  return null;
}
