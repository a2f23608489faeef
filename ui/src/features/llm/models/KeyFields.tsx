import { Checkbox, PasswordInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";

import type { ModelValues } from "./modelForm";
import type { Model } from "./words";

interface Props {
  form: UseFormReturnType<ModelValues>;
  model?: Model;
}

/** Its key: written here, sealed, and never shown again. */
export function KeyFields({ form, model }: Props) {
  const { provider, forgetKey } = form.values;
  const stored = model?.hasKey && model.origin === "made";
  return (
    <>
      <PasswordInput
        label="Key"
        description={description(provider, model)}
        autoComplete="off"
        disabled={forgetKey}
        visibilityToggleButtonProps={{ "aria-label": "Show or hide the key", tabIndex: 0 }}
        {...form.getInputProps("key")}
      />
      {stored && (
        <Checkbox
          label="Remove the key that is stored"
          {...form.getInputProps("forgetKey", { type: "checkbox" })}
        />
      )}
    </>
  );
}

function description(provider: ModelValues["provider"], model?: Model): string {
  if (model?.origin === "found") return "Left empty, the one of the environment is used";
  if (model?.hasKey) return "Left empty, the one that is stored stays";
  if (provider === "ollama" || provider === "compatible") return "Left empty if it needs none";
  return "It is sealed, and never shown again";
}
