import { Group, NativeSelect, NumberInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";

import { Unfold } from "@/components/Unfold";

import { type ModelValues, speaksOpenai } from "./modelForm";

const HALF = { flex: "1 1 200px" };
const EFFORTS = [
  { value: "", label: "As the provider has it" },
  { value: "none", label: "None: it answers at once" },
  { value: "minimal", label: "Minimal" },
  { value: "low", label: "Low" },
  { value: "medium", label: "Medium" },
  { value: "high", label: "High" },
  { value: "xhigh", label: "Very high" },
  { value: "max", label: "As much as it can" },
];
const LENGTHS = [
  { value: "", label: "As the provider has it" },
  { value: "low", label: "Brief" },
  { value: "medium", label: "Medium" },
  { value: "high", label: "At length" },
];
const APIS = [
  { value: "", label: "The one that fits" },
  { value: "responses", label: "Responses, the newer one" },
  { value: "chat", label: "Chat completions" },
];

/** How long it thinks, how much it writes, and by which of OpenAI's APIs it is asked. */
export function ThinkingFields({ form }: { form: UseFormReturnType<ModelValues> }) {
  const isOpenai = speaksOpenai(form.values.provider);
  const { api, temperature, effort, verbosity } = form.errors;
  return (
    <Unfold
      look="fields"
      label="Thinking and writing"
      isFaulty={Boolean(api ?? temperature ?? effort ?? verbosity)}
    >
      <Group gap="md" align="flex-start">
        <NativeSelect
          {...HALF}
          label="Effort"
          description="How long it thinks before it answers"
          data={EFFORTS}
          {...form.getInputProps("effort")}
        />
        <NumberInput
          {...HALF}
          min={0}
          max={2}
          step={0.1}
          decimalScale={2}
          label="Temperature"
          description="How much chance is in it. Most models that think take none"
          {...form.getInputProps("temperature")}
        />
        {isOpenai && (
          <>
            <NativeSelect
              {...HALF}
              label="Verbosity"
              description="How much it writes"
              data={LENGTHS}
              {...form.getInputProps("verbosity")}
            />
            <NativeSelect
              {...HALF}
              label="API"
              description="Which of OpenAI's two is spoken to it"
              data={APIS}
              {...form.getInputProps("api")}
            />
          </>
        )}
      </Group>
    </Unfold>
  );
}
