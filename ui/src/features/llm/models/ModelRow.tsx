import { Button } from "@mantine/core";

import { api } from "@/api/client";
import { Row } from "@/components/Rows";
import { StateMark, Tag } from "@/components/StateMark";

import { ModelActions } from "./ModelActions";
import { Tested } from "./Tested";
import { keyInWords, type Model, priceInWords, providerName, windowInWords } from "./words";

interface Props {
  model: Model;
  models: Model[];
  mayChange: boolean;
  onEdit: () => void;
}

/** A model: whose, at what price, and whether it answers. */
export function ModelRow({ model, models, mayChange, onEdit }: Props) {
  const { id, name, provider, fallbackId } = model;
  // What it says is shown in the row, the error too.
  const test = api.useMutation("post", "/api/v1/models/{model_id}/test", {
    meta: { inForm: true },
  });
  const next = models.find((other) => other.id === fallbackId);
  return (
    <Row
      wraps
      title={name}
      marks={
        <>
          {model.isDefault && <Tag>default</Tag>}
          {model.label && <Tag>{model.label}</Tag>}
          {!model.enabled && <StateMark state="off">switched off</StateMark>}
        </>
      }
      meta={[
        provider === "offline"
          ? "built in, needs no key and no network"
          : `${providerName(provider)}: ${model.model}`,
        model.baseUrl,
        model.region,
        provider !== "offline" && priceInWords(model),
        provider !== "offline" && windowInWords(model),
        keyInWords(model),
        next && `if it does not answer: ${next.name}`,
      ]}
      actions={
        mayChange && (
          <>
            <Button
              size="xs"
              variant="default"
              loading={test.isPending}
              onClick={() => test.mutate({ params: { path: { model_id: id } } })}
              aria-label={`Test ${name}`}
            >
              Test
            </Button>
            <ModelActions model={model} models={models} onEdit={onEdit} />
          </>
        )
      }
    >
      <Tested result={test.data} error={test.error} />
    </Row>
  );
}
