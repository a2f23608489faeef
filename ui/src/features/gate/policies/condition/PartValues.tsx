import { Chip, Group, NativeSelect, TagsInput, Text } from "@mantine/core";

import { formOf } from "./kinds";
import type { Part } from "./parts";

interface Props {
  part: Part;
  /** Names that are known, to choose from. */
  known: string[];
  onChange: (values: string[]) => void;
}

/** What a line of the form compares with. */
export function PartValues({ part: { kind, values }, known, onChange }: Props) {
  const { input, label, choices, placeholder } = formOf(kind);
  if (input === "none") return null;
  if (input === "hours") return <Hours values={values} onChange={onChange} />;
  if (input === "names") {
    return (
      <TagsInput
        size="xs"
        aria-label={label}
        placeholder={values.length === 0 ? placeholder : undefined}
        data={known}
        value={values}
        isDuplicate={(value, others) => others.includes(value)}
        maxDropdownHeight={180}
        onChange={onChange}
      />
    );
  }
  return (
    <Chip.Group multiple value={values} onChange={onChange}>
      <Group gap={6} role="group" aria-label={label}>
        {choices?.map((choice) => (
          <Chip key={choice.value} value={choice.value} size="xs" radius="sm" variant="outline">
            {choice.label}
          </Chip>
        ))}
      </Group>
    </Chip.Group>
  );
}

const HOURS = Array.from({ length: 25 }, (_, hour) => ({
  value: String(hour),
  label: `${hour}:00`,
}));

function Hours({ values, onChange }: Pick<Props, "onChange"> & { values: string[] }) {
  const [from = "8", to = "18"] = values;
  return (
    <Group gap="xs" wrap="nowrap">
      <NativeSelect
        size="xs"
        aria-label="From"
        data={HOURS.slice(0, 24)}
        value={from}
        onChange={(event) => onChange([event.currentTarget.value, to])}
      />
      <Text size="sm">to</Text>
      <NativeSelect
        size="xs"
        aria-label="To"
        data={HOURS.slice(1)}
        value={to}
        onChange={(event) => onChange([from, event.currentTarget.value])}
      />
      <Text size="xs" c="dimmed">
        the server's time
      </Text>
    </Group>
  );
}
