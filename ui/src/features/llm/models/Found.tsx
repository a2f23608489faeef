import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useState } from "react";

import { api, type Schemas } from "@/api/client";
import { fieldErrorsOf } from "@/api/problem";
import { notify } from "@/components/notify";
import { Row, Rows } from "@/components/Rows";
import { Section } from "@/components/Section";
import { useRefresh } from "@/live/useRefresh";

import type { Model } from "./words";

type Offer = Schemas["FoundModelOut"];

/** Models that need nothing but a click: their keys are in the environment, or Ollama runs. */
export function Found({ models }: { models: Model[] }) {
  const { data } = api.useQuery("get", "/api/v1/models/found");
  const offers = (data?.items ?? [])
    .map((offer) => ({ ...offer, models: unused(offer, models) }))
    .filter((offer) => offer.models === null || offer.models.length > 0);
  if (offers.length === 0) return null;
  return (
    <Section
      title="Found on this machine"
      description="These can be used at once. A key of the environment stays there, and is read at each call."
    >
      <Rows label="Found on this machine">
        {offers.map((offer) => (
          <FoundRow key={offer.found} offer={offer} />
        ))}
      </Rows>
    </Section>
  );
}

/** Those not added yet; null if it has to be named. */
function unused(offer: Offer, models: Model[]): string[] | null {
  if (offer.models.length === 0) return null;
  const taken = models.filter(({ provider }) => provider === offer.found);
  return offer.models.filter((name) => !taken.some(({ model }) => model === name));
}

type Shown = Omit<Offer, "models"> & { models: string[] | null };

function FoundRow({ offer: { found, name, source, models } }: { offer: Shown }) {
  const refresh = useRefresh();
  const [chosen, setChosen] = useState("");
  // What was chosen may be added by now.
  const model = models === null || models.includes(chosen) ? chosen : (models[0] ?? "");
  const add = api.useMutation("post", "/api/v1/models", {
    onSuccess: async (made) => {
      setChosen("");
      notify.done(`“${made.name}” is added.`);
      await refresh("model");
    },
  });
  const label = `Model of ${name}`;
  return (
    <Row
      wraps
      title={name}
      meta={[source === "a running Ollama" ? "runs here" : `from ${source}`]}
      actions={
        <>
          {models === null ? (
            <TextInput
              size="xs"
              aria-label={label}
              placeholder="Name of your deployment"
              error={fieldErrorsOf(add.error).model}
              value={chosen}
              onChange={(event) => setChosen(event.currentTarget.value)}
            />
          ) : (
            <NativeSelect
              size="xs"
              aria-label={label}
              data={models}
              value={model}
              onChange={(event) => setChosen(event.currentTarget.value)}
            />
          )}
          <Button
            size="xs"
            variant="default"
            loading={add.isPending}
            disabled={!model.trim()}
            onClick={() => add.mutate({ body: { found, model: model.trim() } })}
            aria-label={`Add ${name}`}
          >
            Add
          </Button>
        </>
      }
    />
  );
}
