import { Checkbox, NativeSelect, Textarea, TextInput } from "@mantine/core";

import { hiddenIn } from "../shared/visible";
import { fieldName } from "../shared/words";
import type { SchemaField } from "./schemaFields";

interface Props {
  field: SchemaField;
  value: string | boolean;
  error?: string;
  onChange: (value: string | boolean) => void;
}

/** The input that fits a tool's argument. */
export function SchemaInput({ field, value, error, onChange }: Props) {
  const { name, kind, required, choices } = field;
  // A field shows its text as it is, and so not what hides in it.
  const hidden = typeof value === "string" ? hiddenIn(value) : [];
  const warning = hidden.length > 0 && `Hidden characters are in it: ${hidden.join(", ")}.`;
  const description = [field.description, warning].filter(Boolean).join(" ") || undefined;
  const shared = { label: fieldName(name), description, error, required, withAsterisk: false };
  if (typeof value === "boolean") {
    const { label } = shared;
    return (
      <Checkbox
        {...{ label, description, error }}
        checked={value}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    );
  }
  const typed = {
    ...shared,
    value,
    onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  };
  switch (kind) {
    case "choice":
      return <NativeSelect {...typed} data={required ? choices : ["", ...choices]} />;
    case "text":
      return <Textarea {...typed} autosize minRows={2} maxRows={14} />;
    case "json":
      return (
        <Textarea {...typed} autosize minRows={2} maxRows={14} ff="monospace" spellCheck={false} />
      );
    case "number":
      return <TextInput {...typed} inputMode="decimal" />;
    default:
      return <TextInput {...typed} type={kind === "date" ? "date" : "text"} autoComplete="off" />;
  }
}
