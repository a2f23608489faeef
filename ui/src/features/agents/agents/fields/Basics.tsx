import { NativeSelect, SimpleGrid, Stack, Textarea, TextInput } from "@mantine/core";

import { api } from "@/api/client";

import type { AgentValues } from "../values";
import { KINDS } from "../words";
import type { Form } from "./form";

interface Props {
  form: Form;
  /** Where a new one can be put. */
  places: { value: string; label: string }[];
}

/** What it is called, what it is for, and what it thinks with. */
export function Basics({ form: { values, faults, set }, places }: Props) {
  const { fields } = faults;
  return (
    <Stack gap="md">
      <TextInput
        label="Name"
        maxLength={100}
        value={values.name}
        error={fields.name}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      <Textarea
        label="What it is for"
        description="People read it in the list, and agents that may ask it read it too"
        autosize
        minRows={1}
        maxRows={6}
        maxLength={2000}
        value={values.description}
        error={fields.description}
        onChange={(event) => set({ description: event.currentTarget.value })}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        <NativeSelect
          label="Kind"
          description={KINDS[values.kind].about}
          data={Object.entries(KINDS).map(([value, { label }]) => ({ value, label }))}
          value={values.kind}
          error={fields.kind}
          onChange={(event) => set({ kind: event.currentTarget.value as AgentValues["kind"] })}
        />
        <ModelField
          value={values.modelId}
          error={fields.modelId}
          onChange={(modelId) => set({ modelId })}
        />
      </SimpleGrid>
      {places.length > 1 && (
        <NativeSelect
          label="Workspace"
          description="It works with what is in this one only"
          data={places}
          value={values.workspaceId}
          error={fields.workspaceId}
          // What was chosen in the other workspace is not there.
          onChange={(event) =>
            set({ workspaceId: event.currentTarget.value, promptId: "", colleagues: [] })
          }
        />
      )}
    </Stack>
  );
}

const INHERITED = "When another agent asks it, that one’s model";

interface ModelProps {
  value: string;
  error?: string;
  onChange: (id: string) => void;
}

function ModelField({ value, error, onChange }: ModelProps) {
  const models = api.useQuery("get", "/api/v1/models").data?.items ?? [];
  const standard = models.find(({ isDefault }) => isDefault);
  const used = value ? models.find(({ id }) => id === value) : standard;
  const isGone = value !== "" && models.length > 0 && !used;
  return (
    <NativeSelect
      label="Model"
      description={[used?.label, value ? null : INHERITED].filter(Boolean).join(". ")}
      value={value}
      error={error ?? (isGone ? "This model is gone: choose another" : undefined)}
      data={[
        { value: "", label: standard ? `The default: ${standard.name}` : "The default" },
        ...(isGone ? [{ value, label: "A model that is gone" }] : []),
        ...models.map(({ id, name, enabled }) => ({
          value: id,
          label: enabled ? name : `${name} (switched off)`,
          disabled: !enabled && id !== value,
        })),
      ]}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
