import { Button, Menu, Stack, Text } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";

import { formOf, KINDS, type Kind } from "./kinds";
import { newPart, type Part } from "./parts";
import { PartRow } from "./PartRow";

interface Props {
  /** null: the condition is more than the form can show. */
  parts: Part[] | null;
  tools: string[];
  onChange: (parts: Part[]) => void;
}

/** The condition as lines that all have to hold. */
export function ConditionForm({ parts, tools, onChange }: Props) {
  if (!parts) return <MoreThanTheForm onRestart={() => onChange([])} />;
  const left = (Object.keys(KINDS) as Kind[]).filter(
    (kind) => !parts.some((part) => part.kind === kind),
  );
  return (
    <Stack gap="xs">
      <Text size="sm" c="dimmed">
        {parts.length === 0 ? "Always: there is no condition." : "When all of these hold:"}
      </Text>
      {parts.map((part, index) => (
        <PartRow
          key={`${part.kind} ${index}`}
          part={part}
          known={part.kind === "tool" ? tools : []}
          onChange={(changed) => onChange(parts.with(index, changed))}
          onRemove={() => onChange(parts.toSpliced(index, 1))}
        />
      ))}
      <Menu position="bottom-start" width={260}>
        <Menu.Target>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPlus size={14} />}
            style={{ alignSelf: "flex-start" }}
          >
            Add a condition
          </Button>
        </Menu.Target>
        <Menu.Dropdown mah={280} style={{ overflowY: "auto" }}>
          {left.map((kind) => (
            <Menu.Item key={kind} onClick={() => onChange([...parts, newPart(kind)])}>
              {formOf(kind).label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </Stack>
  );
}

function MoreThanTheForm({ onRestart }: { onRestart: () => void }) {
  return (
    <Stack gap="xs" align="flex-start">
      <Text size="sm" fw={600}>
        This condition is more than the form can show
      </Text>
      <Text size="sm" c="dimmed">
        Change it as JSON-Logic. As soon as it is plain enough again, the form is back.
      </Text>
      <Button variant="default" size="xs" onClick={onRestart}>
        Begin again with the form
      </Button>
    </Stack>
  );
}
