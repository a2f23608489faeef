import { fieldName } from "@/features/gate/shared/words";

export type Schema = Record<string, unknown>;
export type Value = string | number | boolean;
export type Values = Record<string, Value>;

type Kind = "line" | "lines" | "email" | "secret" | "number" | "yes-no" | "choice";

/** A field of a connector's form. */
export interface Field {
  name: string;
  kind: Kind;
  title: string;
  description?: string;
  required: boolean;
  choices: string[];
  default?: Value;
  least?: number;
  most?: number;
}

/** The fields of a form: a JSON Schema of a flat object. */
export function fieldsOf(schema: Schema): Field[] {
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(asSchema(schema.properties)).map(([name, given]) => {
    const field = asSchema(given);
    return {
      name,
      kind: kindOf(field),
      title: text(field.title) ?? fieldName(name),
      description: text(field.description),
      required: required.includes(name),
      choices: Array.isArray(field.enum) ? field.enum.map(String) : [],
      default: asValue(field.default),
      least: number(field.minimum),
      most: number(field.maximum),
    };
  });
}

function kindOf(field: Schema): Kind {
  if (field.writeOnly === true) return "secret";
  if (Array.isArray(field.enum)) return "choice";
  if (field.type === "boolean") return "yes-no";
  if (field.type === "integer" || field.type === "number") return "number";
  if (typeof field.contentMediaType === "string") return "lines";
  return field.format === "email" ? "email" : "line";
}

/** What everybody fills in, and what few people need. */
export function sorted(fields: Field[]): { main: Field[]; further: Field[] } {
  const hasNeeded = fields.some(({ required }) => required);
  const isMain = (field: Field) => (hasNeeded ? field.required : !field.default);
  return { main: fields.filter(isMain), further: fields.filter((field) => !isMain(field)) };
}

/** What a form starts with: what is known, or else its defaults. A secret is never known. */
export function started(fields: Field[], known: Schema = {}): Values {
  const start = (field: Field): Value => {
    const empty = field.kind === "yes-no" ? false : "";
    if (field.kind === "secret") return empty;
    return asValue(known[field.name]) ?? field.default ?? empty;
  };
  return Object.fromEntries(fields.map((field) => [field.name, start(field)]));
}

/** The needed fields that are empty. */
export function missing(fields: Field[], values: Values): Record<string, string> {
  const empty = fields.filter(({ name, required }) => required && isEmpty(values[name]));
  return Object.fromEntries(empty.map(({ name, title }) => [name, `${title} is needed`]));
}

/** What a form sends: what was left empty is left out. */
export const filled = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => !isEmpty(value)));

const isEmpty = (value: Value | undefined) =>
  value === undefined || (typeof value === "string" && value.trim() === "");

const text = (value: unknown) => (typeof value === "string" && value ? value : undefined);
const number = (value: unknown) => (typeof value === "number" ? value : undefined);
const asValue = (value: unknown): Value | undefined =>
  ["string", "number", "boolean"].includes(typeof value) ? (value as Value) : undefined;
const asSchema = (value: unknown): Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Schema) : {};
