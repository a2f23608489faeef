import { Group, NumberInput, Select } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";

import { Unfold } from "@/components/Unfold";

import type { ModelValues } from "./modelForm";
import { type Model, windowFigure } from "./words";

const HALF = { flex: "1 1 200px" };
const PRICE = { min: 0, max: 1_000_000, prefix: "$", decimalScale: 6, thousandSeparator: "," };
const COUNT = { min: 1, allowDecimal: false, thousandSeparator: "," };

const SIGHT = {
  allowDeselect: false,
  data: [
    { value: "known", label: "As its name is known" },
    { value: "yes", label: "Yes" },
    { value: "no", label: "No" },
  ],
};

/** Prices, sizes, patience and sight; what is left empty is as the public table says. */
export function BoundFields({
  form,
  model,
}: {
  form: UseFormReturnType<ModelValues>;
  model?: Model;
}) {
  const known = model && !model.window ? windowFigure(model) : "as known";
  return (
    <Unfold look="fields" label="Prices, sizes and patience">
      <Group gap="md" align="flex-start">
        <NumberInput
          {...HALF}
          {...PRICE}
          label="A million tokens in"
          description="Left empty, the public price"
          {...form.getInputProps("inputPrice")}
        />
        <NumberInput
          {...HALF}
          {...PRICE}
          label="A million tokens out"
          description="Left empty, the public price"
          {...form.getInputProps("outputPrice")}
        />
        <NumberInput
          {...HALF}
          {...PRICE}
          label="A million from the cache"
          description="Input that the provider had kept. Left empty, as known"
          {...form.getInputProps("cacheReadPrice")}
        />
        <NumberInput
          {...HALF}
          {...PRICE}
          label="A million into the cache"
          description="Input that the provider keeps. Left empty, as known"
          {...form.getInputProps("cacheWritePrice")}
        />
        <NumberInput
          {...HALF}
          {...COUNT}
          label="Window, in tokens"
          description={`The most of a request and its answer. Left empty, ${known}`}
          {...form.getInputProps("window")}
        />
        <NumberInput
          {...HALF}
          {...COUNT}
          label="Longest answer, in tokens"
          description="Left empty, the agent's own bound"
          {...form.getInputProps("maxOutput")}
        />
        <NumberInput
          {...HALF}
          {...COUNT}
          max={1000}
          label="Calls at a time"
          description="In each process of the office"
          {...form.getInputProps("parallel")}
        />
        <NumberInput
          {...HALF}
          {...COUNT}
          max={3600}
          label="Seconds of silence"
          description="Then the call is given up, and tried again"
          {...form.getInputProps("timeoutSeconds")}
        />
        <Select
          {...HALF}
          {...SIGHT}
          label="Sees pictures"
          description="If not, it is told the text in them"
          {...form.getInputProps("seesImages")}
        />
        <Select
          {...HALF}
          {...SIGHT}
          label="Sees PDF documents"
          description="If not, it is given their text"
          {...form.getInputProps("seesDocuments")}
        />
      </Group>
    </Unfold>
  );
}
