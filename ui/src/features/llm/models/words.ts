import type { Schemas } from "@/api/client";

import { counted, dollars, figure, fromMillionths } from "./amounts";

export type Model = Schemas["ModelOut"];
/** One that can be chosen for a model of one's own. */
export type Provider = NonNullable<Schemas["ModelPut"]["provider"]>;

export const PROVIDERS: { value: Provider; label: string }[] = [
  { value: "openai", label: "OpenAI" },
  { value: "anthropic", label: "Anthropic" },
  { value: "google", label: "Google" },
  { value: "mistral", label: "Mistral" },
  { value: "azure", label: "Azure OpenAI" },
  { value: "bedrock", label: "Amazon Bedrock" },
  { value: "ollama", label: "Ollama" },
  { value: "compatible", label: "Another server that speaks OpenAI's API" },
];

export const providerName = (provider: Model["provider"]) =>
  provider === "compatible"
    ? "OpenAI-compatible server"
    : (PROVIDERS.find(({ value }) => value === provider)?.label ?? "Built in");

const SOURCES: Record<Model["priceSource"], string> = {
  yours: "your figures",
  listed: "from the provider's list",
  known: "public prices",
  none: "",
};

/** "$0.25 in, $2.00 out for a million tokens (public prices)". */
export function priceInWords(model: Model): string {
  const { effectiveInputPrice: asked, effectiveOutputPrice: said, priceSource } = model;
  if (asked === null || said === null) return "its price is not known";
  if (asked === 0 && said === 0) return "free: it runs on your machines";
  return `${pairInWords(asked, said)} for a million tokens (${SOURCES[priceSource]})`;
}

const WINDOWS: Record<Model["windowSource"], string> = {
  yours: "your figure",
  learned: "as the model itself said",
  listed: "from the provider's list",
  known: "as known",
  guess: "a guess",
};

/** "8,192 (from the provider's list)". */
export const windowFigure = ({ effectiveWindow, windowSource }: Model) =>
  `${figure(effectiveWindow)} (${WINDOWS[windowSource]})`;

/** "takes 128,000 tokens (a guess)". */
export const windowInWords = ({ effectiveWindow, windowSource }: Model) =>
  `takes ${counted(effectiveWindow, "token")} (${WINDOWS[windowSource]})`;

export const pairInWords = (asked: number, said: number) =>
  `${dollars(fromMillionths(asked))} in, ${dollars(fromMillionths(said))} out`;

/** Whose key it uses. */
export function keyInWords({ origin, provider, hasKey }: Model): string | null {
  if (provider === "offline") return null;
  if (origin !== "found") return hasKey ? "key is set" : "no key";
  if (hasKey) return "uses the key of the environment";
  if (provider === "ollama") return "runs on this machine";
  return provider === "bedrock"
    ? "uses the environment's access to Amazon"
    : "its key is no longer in the environment";
}
