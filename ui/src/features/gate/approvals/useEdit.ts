import { type SubmitEvent, useState } from "react";

import type { Schemas } from "@/api/client";
import { detailOf, fieldErrorsOf } from "@/api/problem";

import { type Entered, entered, fieldsOf, read, type SchemaField } from "./schemaFields";

type Values = Record<string, unknown>;

// Where no form fits, the arguments are one field of JSON.
const WHOLE: SchemaField = {
  name: "arguments",
  kind: "json",
  required: true,
  nullable: false,
  choices: [],
};

/** What is typed into the form for a call's arguments, and what is wrong with it. */
export function useEdit(asked: Values, tool: Schemas["ToolOut"] | undefined) {
  const [typed, setTyped] = useState<Entered>({});
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [problem, setProblem] = useState<string | null>(null);
  const form = fieldsOf(tool?.parameters, asked);
  const fields = form ?? [WHOLE];
  const start = form ? asked : { [WHOLE.name]: asked };
  const shown = { ...entered(fields, start), ...typed };

  const restart = () => {
    setTyped({});
    setErrors({});
    setProblem(null);
  };
  const fail = (error: unknown) => {
    const found = Object.entries(fieldErrorsOf(error)).map(
      ([path, message]) => [form ? fieldAt(path) : WHOLE.name, message] as const,
    );
    const names = fields.map(({ name }) => name);
    // What is about all of it, such as something missing, stands above the form.
    const others = found.filter(([name]) => !names.includes(name)).map(([, message]) => message);
    setErrors(Object.fromEntries(found));
    setProblem([detailOf(error), ...others].join(" "));
  };
  const submit = (allow: (values: Values) => void) => (event: SubmitEvent) => {
    event.preventDefault();
    const { values, errors: faults } = read(fields, shown, start);
    const whole = form ? values : values[WHOLE.name];
    if (!isObject(whole)) faults[WHOLE.name] ??= "An object is needed, in curly brackets";
    setErrors(faults);
    setProblem(null);
    if (Object.keys(faults).length === 0) allow(whole as Values);
  };
  const set = (name: string, value: string | boolean) =>
    setTyped((before) => ({ ...before, [name]: value }));
  return { fields, shown, errors, problem, set, submit, fail, restart };
}

/** "items" for `items.0.name`. */
const fieldAt = (path: string) => path.split(".")[0] ?? path;

const isObject = (value: unknown) =>
  typeof value === "object" && value !== null && !Array.isArray(value);
