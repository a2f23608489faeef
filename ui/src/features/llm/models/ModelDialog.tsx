import { NativeSelect, TextInput } from "@mantine/core";

import { api, type Schemas } from "@/api/client";
import { useProblemForm } from "@/api/forms";
import { FormDialog } from "@/components/FormDialog";
import { notify } from "@/components/notify";
import { useRefresh } from "@/live/useRefresh";

import { BoundFields } from "./BoundFields";
import { KeyFields } from "./KeyFields";
import { ModelName } from "./ModelName";
import { changedModel, checks, formValues, type ModelValues, newModel } from "./modelForm";
import { PlaceFields } from "./PlaceFields";
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
  const refresh = useRefresh();
  const { form, problem, fail } = useProblemForm<ModelValues>(
    { initialValues: formValues(model), validate: checks },
    opened,
  );
  const options = {
    meta: { inForm: true },
    onSuccess: async (saved: Schemas["ModelOut"]) => {
      onClose();
      await refresh("model");
      notify.done(`Saved: ${saved.name}.`);
    },
    onError: (error: unknown) => fail(error),
  };
  const create = api.useMutation("post", "/api/v1/models", options);
  const change = api.useMutation("put", "/api/v1/models/{model_id}", options);
  const save = (values: ModelValues) => {
    if (!model) create.mutate({ body: newModel(values) });
    else
      change.mutate({
        params: { path: { model_id: model.id } },
        body: changedModel(values, model),
      });
  };
  const others = models.filter(({ id }) => id !== model?.id);
  return (
    <FormDialog
      title={model ? `Edit “${model.name}”` : "Add a model"}
      verb={model ? "Save" : "Add the model"}
      size="lg"
      opened={opened}
      onClose={onClose}
      pending={create.isPending || change.isPending}
      problem={problem}
      onSubmit={form.onSubmit(save)}
    >
      <NativeSelect
        label="Provider"
        data={PROVIDERS}
        data-autofocus
        {...form.getInputProps("provider")}
        onChange={(event) => form.setFieldValue("provider", event.currentTarget.value as Provider)}
      />
      <ModelName provider={form.values.provider} {...form.getInputProps("model")} />
      <TextInput
        label="Name"
        description="By which people choose it here. Left empty, the same"
        {...form.getInputProps("name")}
      />
      <PlaceFields form={form} />
      <KeyFields form={form} model={model} />
      <NativeSelect
        label="If it does not answer, ask"
        data={[
          { value: "", label: "Nobody: the run fails, and can go on later" },
          ...others.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        {...form.getInputProps("fallbackId")}
      />
      <BoundFields form={form} />
    </FormDialog>
  );
}
