import { type ReactNode, useEffect } from "react";

import { Unfold } from "@/components/Unfold";

import { type Field, sorted } from "./fields";
import { SchemaField } from "./SchemaField";
import type { SchemaValues } from "./useSchemaForm";

interface Props {
  form: SchemaValues;
  /** Secrets that are stored already: left empty, they stay. */
  stored?: string[];
  /** Under the first field. */
  after?: ReactNode;
}

/** The fields of a connector's form; those that few people need are folded until one is wrong. */
export function SchemaForm({ form, stored = [], after }: Props) {
  const { main, further } = sorted(form.fields);
  useEffect(() => {
    // The button may be far below the field that it stumbled over.
    if (form.told > 0) document.querySelector<HTMLElement>("form [aria-invalid='true']")?.focus();
  }, [form.told]);
  const input = (field: Field) => (
    <SchemaField
      key={field.name}
      field={field}
      value={form.values[field.name] ?? ""}
      error={form.errors[field.name]}
      onChange={(value) => form.set(field.name, value)}
      hint={stored.includes(field.name) ? "Left empty, the one that is stored stays" : undefined}
    />
  );
  return (
    <>
      {main.slice(0, 1).map(input)}
      {after}
      {main.slice(1).map(input)}
      {further.length > 0 && (
        <Unfold
          look="fields"
          label="Further settings"
          isFaulty={further.some(({ name }) => form.errors[name])}
        >
          {further.map(input)}
        </Unfold>
      )}
    </>
  );
}
