import { NativeSelect, NumberInput, Switch, TagsInput, TextInput } from "@mantine/core";

import type { Schemas } from "@/api/client";

import { unitOf } from "./words";

interface Props {
  id: string;
  setting: Schemas["SettingOut"];
  value: unknown;
  error: string | null;
  onChange: (value: unknown) => void;
}

/** The field that fits a setting's type. */
export function SettingInput({ id, setting, value, error, onChange }: Props) {
  const { name, type, choices } = setting;
  const common = { id, error, "aria-describedby": `${id}-description`, flex: 1 };
  if (type === "boolean") {
    return (
      <Switch
        {...common}
        flex={undefined}
        checked={value === true}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    );
  }
  if (type === "integer") {
    const unit = unitOf(name);
    return (
      <NumberInput
        {...common}
        allowDecimal={false}
        min={setting.minimum ?? undefined}
        max={setting.maximum ?? undefined}
        suffix={unit && (unit === "%" ? " %" : ` ${unit}`)}
        value={value as number | string}
        onChange={onChange}
      />
    );
  }
  if (type === "array") {
    const tags = (value as unknown[]).map(String);
    const numeric = [value, setting.default].flat().some((item) => typeof item === "number");
    return (
      <TagsInput
        {...common}
        value={tags}
        placeholder={tags.length ? undefined : "Type one, then Enter"}
        acceptValueOnBlur
        // What is no number is sent as it is: the server says what is wrong with it.
        onChange={(next) =>
          onChange(
            numeric
              ? next.map((tag) => (tag.trim() && !Number.isNaN(Number(tag)) ? Number(tag) : tag))
              : next,
          )
        }
      />
    );
  }
  if (choices) {
    return (
      <NativeSelect
        {...common}
        data={[{ value: "", label: "As at start-up" }, ...choices]}
        value={(value as string | null) ?? ""}
        onChange={(event) => onChange(event.currentTarget.value || null)}
      />
    );
  }
  return (
    <TextInput
      {...common}
      value={(value as string | null) ?? ""}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
