import type { UseFormReturnType } from "@mantine/form";
import { useState } from "react";

import { api, type Schemas } from "@/api/client";
import { detailOf, fieldErrorsOf } from "@/api/problem";

import type { ModelValues } from "./modelForm";
import type { Model } from "./words";

interface KeyModels {
  /** For what the list was asked: another provider, address or key has another. */
  of: string;
  models: Schemas["ListedModelOut"][];
}

/** The models that the key in a form, or the stored one, can have; asked for when someone wants to see them. */
export function useKeyModels(form: UseFormReturnType<ModelValues>, model?: Model) {
  const [known, setKnown] = useState<KeyModels>();
  const asking = api.useMutation("post", "/api/v1/models/list", { meta: { inForm: true } });
  const { provider, baseUrl, apiVersion, key } = form.values;
  const of = JSON.stringify([provider, baseUrl, apiVersion, key]);
  const ask = () =>
    asking.mutate(
      {
        body: {
          modelId: model?.id ?? null,
          provider,
          baseUrl: provider === "bedrock" ? null : baseUrl.trim() || null,
          apiVersion: provider === "azure" ? apiVersion.trim() || null : null,
          key: key || null,
        },
      },
      {
        onSuccess: ({ models }) => setKnown({ of, models }),
        onError: (error) => form.setErrors({ ...form.errors, ...fieldErrorsOf(error) }),
      },
    );
  const atFields = asking.error ? Object.keys(fieldErrorsOf(asking.error)).length > 0 : false;
  return {
    ask,
    pending: asking.isPending,
    found: known?.of === of ? known.models : undefined,
    problem: asking.error && !atFields ? detailOf(asking.error) : null,
  };
}
