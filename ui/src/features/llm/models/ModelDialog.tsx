import { NativeSelect, TextInput } from "@mantine/core";

import { http } from "@/api/client";
import { FormDialog } from "@/components/FormDialog";
import { notify } from "@/components/notify";
import { useFormDialog } from "@/components/useFormDialog";

import { BoundFields } from "./BoundFields";
import { KeyFields } from "./KeyFields";
import { ModelName } from "./ModelName";
import { changedModel, checks, formValues, type ModelValues, newModel } from "./modelForm";
import { PlaceFields } from "./PlaceFields";
import { ThinkingFields } from "./ThinkingFields";
import { type Model, PROVIDERS, type Provider } from "./words";

interface Props {
  opened: boolean;
  onClose: () => void;
  /** The model to change; without one, a new one is added. */
  model?: Model;
  /** All that there are, for the one that steps in. */
  models: Model[];
}

/** Adds or changes a model. */
export function ModelDialog({ opened, onClose, model, models }: Props) {
  const { form, dialog } = useFormDialog<ModelValues, Model>({
    opened,
    onClose,
    initialValues: formValues(model),
    validate: checks,
    affects: ["model"],
    send: (values) =>
      model
        ? http.PUT("/api/v1/models/{model_id}", {
            params: { path: { model_id: model.id } },
            body: changedModel(values, model),
          })
        : http.POST("/api/v1/models", { body: newModel(values) }),
    onSaved: ({ name }) => notify.done(`Saved: ${name}.`),
  });
  const others = models.filter(({ id }) => id !== model?.id);
  return (
    <FormDialog
      title={model ? `Edit “${model.name}”` : "Add a model"}
      verb={model ? "Save" : "Add the model"}
      size="lg"
      {...dialog}
    >
      <NativeSelect
        label="Provider"
        data={PROVIDERS}
        data-autofocus
        {...form.getInputProps("provider")}
        onChange={(event) => form.setFieldValue("provider", event.currentTarget.value as Provider)}
      />
      <PlaceFields form={form} />
      <KeyFields form={form} model={model} />
      <ModelName form={form} model={model} />
      <TextInput
        label="Name"
        description="By which people choose it here. Left empty, the same"
        {...form.getInputProps("name")}
      />
      <NativeSelect
        label="If it does not answer, ask"
        data={[
          { value: "", label: "Nobody: the run fails, and can go on later" },
          ...others.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        {...form.getInputProps("fallbackId")}
      />
      <ThinkingFields form={form} />
      <BoundFields form={form} model={model} />
    </FormDialog>
  );
}
