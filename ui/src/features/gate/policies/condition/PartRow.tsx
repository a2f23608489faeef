import { CloseButton, Group, NativeSelect, Paper, Stack, Text } from "@mantine/core";

import { formOf } from "./kinds";
import type { Part } from "./parts";
import { PartValues } from "./PartValues";

const ANSWERS = {
  names: ["is", "is not"],
  choice: ["is", "is not"],
  hours: ["is between", "is not between"],
  none: ["yes", "no"],
} as const;

interface Props {
  part: Part;
  known: string[];
  onChange: (part: Part) => void;
  onRemove: () => void;
}

/** One line of the form. */
export function PartRow({ part, known, onChange, onRemove }: Props) {
  const { label, input } = formOf(part.kind);
  const [so, not] = ANSWERS[input];
  return (
    <Paper withBorder p="xs" radius="sm" component="fieldset" m={0} aria-label={label}>
      <Stack gap={6}>
        <Group gap="xs" wrap="nowrap" justify="space-between">
          <Text size="sm" fw={600} flex={1}>
            {label}
          </Text>
          <NativeSelect
            size="xs"
            aria-label={`${label}: is or is not`}
            data={[
              { value: "so", label: part.values.length > 1 && so === "is" ? "is one of" : so },
              {
                value: "not",
                label: part.values.length > 1 && not === "is not" ? "is none of" : not,
              },
            ]}
            value={part.not ? "not" : "so"}
            onChange={(event) => onChange({ ...part, not: event.currentTarget.value === "not" })}
          />
          <CloseButton size="sm" aria-label={`Remove: ${label}`} onClick={onRemove} />
        </Group>
        <PartValues
          part={part}
          known={known}
          onChange={(values) => onChange({ ...part, values })}
        />
      </Stack>
    </Paper>
  );
}
