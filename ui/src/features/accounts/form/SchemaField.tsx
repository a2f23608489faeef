import {
  Checkbox,
  NativeSelect,
  NumberInput,
  PasswordInput,
  Textarea,
  TextInput,
} from "@mantine/core";

import type { Field, Value } from "./fields";

interface Props {
  field: Field;
  value: Value;
  error?: string;
  onChange: (value: Value) => void;
  /** Beside the description, such as "Left empty, it stays". */
  hint?: string;
}

/** The input that fits a field of a connector's form. */
export function SchemaField({ field, value, error, onChange, hint }: Props) {
  const { kind, title, choices, required } = field;
  const description = [field.description, hint].filter(Boolean).join(". ") || undefined;
  const shared = { label: title, description, error, required, withAsterisk: false };
  const typed = {
    ...shared,
    value: String(value),
    autoComplete: "off",
    spellCheck: false,
    onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  };
  switch (kind) {
    case "yes-no":
      return (
        <Checkbox
          {...{ label: title, description, error }}
          checked={value === true}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      );
    case "choice":
      return <NativeSelect {...typed} data={field.default ? choices : ["", ...choices]} />;
    case "number":
      return (
        <NumberInput
          {...shared}
          value={value === "" ? "" : Number(value)}
          onChange={onChange}
          min={field.least}
          max={field.most}
          clampBehavior="none"
          allowDecimal={false}
        />
      );
    case "secret":
      return (
        <PasswordInput
          {...typed}
          // So that no browser puts the password for this office there.
          autoComplete="new-password"
          visibilityToggleButtonProps={{
            "aria-label": `Show or hide: ${title}`,
            tabIndex: 0,
          }}
        />
      );
    case "lines":
      return <Textarea {...typed} autosize minRows={2} maxRows={8} />;
    default:
      return <TextInput {...typed} type={kind === "email" ? "email" : "text"} />;
  }
}
