import { useState } from "react";

import { detailOf, fieldErrorsOf } from "@/api/problem";

import {
  type Field,
  fieldsOf,
  missing,
  type Schema,
  started,
  type Value,
  type Values,
} from "./fields";

export interface SchemaValues {
  fields: Field[];
  values: Values;
  errors: Record<string, string>;
  /** How often something was found wrong. */
  told: number;
  set: (name: string, value: Value) => void;
}

/** What a connector's form holds, with the server's messages at the fields they are about. */
export function useSchemaForm(schema: Schema, known?: Schema) {
  const fields = fieldsOf(schema);
  const [values, setValues] = useState<Values>(() => started(fields, known));
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [told, setTold] = useState(0);
  // What a person typed is not overwritten by a guess.
  const [touched, setTouched] = useState<string[]>([]);

  const set = (name: string, value: Value) => {
    setValues((before) => ({ ...before, [name]: value }));
    setErrors(({ [name]: _, ...others }) => others);
    setTouched((before) => (before.includes(name) ? before : [...before, name]));
  };
  const suggest = (found: Schema) => {
    const free = fields.filter(({ name, kind }) => !touched.includes(name) && kind !== "secret");
    const guessed = started(free, found);
    setValues((before) => ({ ...before, ...guessed }));
    setErrors((before) => without(before, Object.keys(guessed)));
  };
  /** Whether nothing that is needed is missing. */
  const check = (): boolean => {
    const found = missing(fields, values);
    setErrors(found);
    setTold((before) => before + 1);
    return Object.keys(found).length === 0;
  };
  /** Puts the server's messages beside their fields; what is about none is returned. */
  const fail = (error: unknown, prefix: string): string | null => {
    const found = Object.entries(fieldErrorsOf(error)).map(
      ([path, message]) => [path.replace(`${prefix}.`, ""), message] as const,
    );
    const fitting = found.filter(([name]) => fields.some((field) => field.name === name));
    setErrors(Object.fromEntries(fitting));
    setTold((before) => before + 1);
    return fitting.length > 0 && fitting.length === found.length ? null : detailOf(error);
  };
  const restart = (now?: Schema) => {
    setValues(started(fields, now));
    setErrors({});
    setTouched([]);
  };
  return { fields, values, errors, told, set, suggest, check, fail, restart };
}

const without = (errors: Record<string, string>, names: string[]) =>
  Object.fromEntries(Object.entries(errors).filter(([name]) => !names.includes(name)));
