import type { Schemas } from "@/api/client";
import { needed } from "@/api/forms";

import { fromMillionths, toMillionths } from "./amounts";
import type { Model, Provider } from "./words";

type Figure = number | string;
export type Sees = "known" | "yes" | "no";

const sight = (sees: boolean | null | undefined): Sees =>
  sees === null || sees === undefined ? "known" : sees ? "yes" : "no";

/** A model as the form holds it: empty text instead of nothing, and prices in dollars. */
export function formValues(model?: Model) {
  const price = (millionths: number | null | undefined): Figure =>
    millionths === null || millionths === undefined ? "" : fromMillionths(millionths);
  return {
    provider: (model?.provider ?? "openai") as Provider,
    name: model?.name ?? "",
    model: model?.model ?? "",
    baseUrl: model?.baseUrl ?? "",
    apiVersion: model?.apiVersion ?? "",
    region: model?.region ?? "",
    key: "",
    forgetKey: false,
    window: (model?.window ?? "") as Figure,
    maxOutput: (model?.maxOutput ?? "") as Figure,
    inputPrice: price(model?.inputPrice),
    outputPrice: price(model?.outputPrice),
    cacheReadPrice: price(model?.cacheReadPrice),
    cacheWritePrice: price(model?.cacheWritePrice),
    fallbackId: model?.fallbackId ?? "",
    api: (model?.api ?? "") as Model["api"] | "",
    effort: (model?.effort ?? "") as Model["effort"] | "",
    verbosity: (model?.verbosity ?? "") as Model["verbosity"] | "",
    temperature: (model?.temperature ?? "") as Figure,
    parallel: (model?.parallel ?? 8) as Figure,
    timeoutSeconds: (model?.timeoutSeconds ?? 120) as Figure,
    seesImages: sight(model?.seesImages),
    seesDocuments: sight(model?.seesDocuments),
  };
}

export type ModelValues = ReturnType<typeof formValues>;

/** These are wherever someone put them. */
export const isPlaced = (provider: Provider) => provider === "azure" || provider === "compatible";

/** These have OpenAI's settings, and the choice between its two APIs. */
export const speaksOpenai = (provider: Provider) =>
  ["openai", "azure", "ollama", "compatible"].includes(provider);

const filled = (what: string) => (value: Figure) => (value === "" ? `${what} is needed` : null);

export const checks = {
  model: needed("The provider's name for the model"),
  baseUrl: (address: string, { provider }: { provider: Provider }) =>
    isPlaced(provider) && !address.trim() ? "The address of its API is needed" : null,
  parallel: filled("A number"),
  timeoutSeconds: filled("A number of seconds"),
};

const orNull = (value: Figure) => (value === "" ? null : Number(value));
const seen = (sees: Sees) => (sees === "known" ? null : sees === "yes");
const price = (value: Figure) => (value === "" ? null : toMillionths(Number(value)));

/** What both adding and changing send. A field that the provider has no use for is left empty. */
function shared(values: ModelValues) {
  const { provider } = values;
  return {
    provider,
    name: values.name.trim() || values.model.trim(),
    model: values.model.trim(),
    baseUrl: provider === "bedrock" ? null : values.baseUrl.trim() || null,
    apiVersion: provider === "azure" ? values.apiVersion.trim() || null : null,
    region: provider === "bedrock" ? values.region.trim() || null : null,
    window: orNull(values.window),
    maxOutput: orNull(values.maxOutput),
    inputPrice: price(values.inputPrice),
    outputPrice: price(values.outputPrice),
    cacheReadPrice: price(values.cacheReadPrice),
    cacheWritePrice: price(values.cacheWritePrice),
    fallbackId: values.fallbackId || null,
    api: speaksOpenai(provider) ? values.api || null : null,
    effort: values.effort || null,
    verbosity: speaksOpenai(provider) ? values.verbosity || null : null,
    temperature: orNull(values.temperature),
    parallel: Number(values.parallel),
    timeoutSeconds: Number(values.timeoutSeconds),
    seesImages: seen(values.seesImages),
    seesDocuments: seen(values.seesDocuments),
  };
}

export function newModel(values: ModelValues): Schemas["ModelIn"] {
  return { ...shared(values), key: values.key || null, enabled: true };
}

/** A key that was left empty stays as it is. */
export function changedModel(values: ModelValues, model: Model): Schemas["ModelPut"] {
  const key = values.forgetKey ? { key: null } : values.key ? { key: values.key } : {};
  return { ...shared(values), ...key, enabled: model.enabled };
}

/** The model as it is, switched on or off. */
export const switched = (model: Model, enabled: boolean): Schemas["ModelPut"] => ({
  ...changedModel(formValues(model), model),
  // As they are kept: the form has prices in dollars.
  inputPrice: model.inputPrice,
  outputPrice: model.outputPrice,
  cacheReadPrice: model.cacheReadPrice,
  cacheWritePrice: model.cacheWritePrice,
  enabled,
});
