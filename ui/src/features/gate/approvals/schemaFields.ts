type Schema = Record<string, unknown>;
type Values = Record<string, unknown>;

export type FieldKind = "line" | "text" | "number" | "yes-no" | "choice" | "date" | "json";
export type Entered = Record<string, string | boolean>;

export interface SchemaField {
  name: string;
  kind: FieldKind;
  required: boolean;
  nullable: boolean;
  description?: string;
  choices: string[];
  most?: number;
}

const DATE = /^\^?(\[0-9\]|\\d)\{4\}-(\[0-9\]|\\d)\{2\}-(\[0-9\]|\\d)\{2\}\$?$/;
// What may be longer is written in several lines.
const LONG = 1100;

/** The fields of a form for a tool's arguments; null if the arguments are more than a form can show. */
export function fieldsOf(schema: Schema | undefined, values: Values): SchemaField[] | null {
  const properties = asSchema(schema?.properties);
  if (!properties || Object.keys(values).some((name) => !(name in properties))) return null;
  const required = Array.isArray(schema?.required) ? schema.required : [];
  return Object.entries(properties).map(([name, value]) =>
    fieldOf(name, asSchema(value) ?? {}, values[name], required.includes(name)),
  );
}

function fieldOf(name: string, schema: Schema, value: unknown, required: boolean): SchemaField {
  const types = [schema.type].flat().filter((type) => type !== "null");
  const choices = Array.isArray(schema.enum) ? schema.enum : [];
  const most = typeof schema.maxLength === "number" ? schema.maxLength : undefined;
  return {
    name,
    required,
    nullable: [schema.type].flat().includes("null"),
    description: typeof schema.description === "string" ? schema.description : undefined,
    choices: choices.filter((choice) => typeof choice === "string"),
    most,
    kind: kindOf(schema, types.length === 1 ? types[0] : null, { choices, most, value }),
  };
}

interface Hints {
  choices: unknown[];
  most: number | undefined;
  value: unknown;
}

function kindOf(schema: Schema, type: unknown, { choices, most, value }: Hints): FieldKind {
  if (choices.length > 0)
    return choices.every((one) => typeof one === "string") ? "choice" : "json";
  if (type === "boolean") return "yes-no";
  if (type === "number" || type === "integer") return "number";
  if (type !== "string") return "json";
  const dated =
    schema.format === "date" || (typeof schema.pattern === "string" && DATE.test(schema.pattern));
  // A value that is no date would not show in a date's field, and would be lost.
  if (dated) return value === undefined || value === null || isDate(value) ? "date" : "line";
  const isLong = typeof value === "string" && (value.includes("\n") || value.length > 80);
  return isLong || most === undefined || most > LONG ? "text" : "line";
}

const isDate = (value: unknown) => typeof value === "string" && /^\d{4}-\d\d-\d\d$/.test(value);

/** What the form starts with. */
export function entered(fields: SchemaField[], values: Values): Entered {
  return Object.fromEntries(fields.map(({ name, kind }) => [name, shown(kind, values[name])]));
}

function shown(kind: FieldKind, value: unknown): string | boolean {
  if (kind === "yes-no") return value === true;
  if (value === undefined || (value === null && kind !== "json")) return "";
  return kind !== "json" && typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

interface Read {
  values: Values;
  errors: Record<string, string>;
}

/** The arguments that the form says. What was left alone stays exactly as it was asked. */
export function read(fields: SchemaField[], typed: Entered, asked: Values): Read {
  const before = entered(fields, asked);
  const result: Read = { values: {}, errors: {} };
  for (const field of fields) {
    const { name } = field;
    const text = typed[name] ?? "";
    if (text === before[name]) {
      if (name in asked) result.values[name] = asked[name];
      continue;
    }
    const value = valueOf(field, text);
    if (value instanceof SyntaxError) result.errors[name] = value.message;
    else if (value !== undefined) result.values[name] = value;
  }
  return result;
}

function valueOf({ kind, required, nullable }: SchemaField, typed: string | boolean): unknown {
  if (typeof typed === "boolean") return typed;
  if (typed === "") {
    if (nullable) return null;
    return required && kind !== "number" && kind !== "json" ? "" : undefined;
  }
  if (kind === "number") {
    const number = Number(typed);
    return Number.isFinite(number) ? number : new SyntaxError("A number is needed");
  }
  return kind === "json" ? parsed(typed) : typed;
}

/** JSON, or a `SyntaxError` in words for a person. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return new SyntaxError("This is not JSON: look for a missing quote, comma or bracket");
  }
}

const asSchema = (value: unknown): Schema | null =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Schema) : null;
