import { ActionIcon, CopyButton, Group, TextInput, Tooltip } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";

interface Props {
  label: string;
  value: string;
  description?: string;
}

/** A line of text to take along, with a button that copies it. */
export function CopyLine({ label, value, description }: Props) {
  return (
    <Group gap="xs" align="flex-end" wrap="nowrap">
      <TextInput
        flex={1}
        label={label}
        description={description}
        value={value}
        readOnly
        onFocus={(event) => event.currentTarget.select()}
        styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
      />
      <CopyButton value={value}>
        {({ copied, copy }) => (
          <Tooltip label={copied ? "Copied" : "Copy"}>
            <ActionIcon size={36} variant="default" onClick={copy} aria-label={`Copy: ${label}`}>
              {copied ? <IconCheck size={18} /> : <IconCopy size={18} />}
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
    </Group>
  );
}
