import { TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";

import { isPlaced, type ModelValues } from "./modelForm";

const EXAMPLES: Record<string, string> = {
  azure: "https://office.openai.azure.com",
  compatible: "http://127.0.0.1:8000/v1",
  ollama: "http://127.0.0.1:11434",
};

/** Where it is: an address, or for Amazon a region. */
export function PlaceFields({ form }: { form: UseFormReturnType<ModelValues> }) {
  const { provider } = form.values;
  if (provider === "bedrock") {
    return (
      <TextInput
        label="Region"
        placeholder="eu-central-1"
        autoComplete="off"
        {...form.getInputProps("region")}
      />
    );
  }
  return (
    <>
      <TextInput
        label="Address"
        description={
          isPlaced(provider)
            ? "The base URL of its API"
            : "Left empty, the provider's own. The key goes to this address and to no other"
        }
        placeholder={EXAMPLES[provider]}
        type="url"
        autoComplete="off"
        {...form.getInputProps("baseUrl")}
      />
      {provider === "azure" && (
        <TextInput
          label="API version"
          description="Left empty, 2024-10-21"
          autoComplete="off"
          {...form.getInputProps("apiVersion")}
        />
      )}
    </>
  );
}
