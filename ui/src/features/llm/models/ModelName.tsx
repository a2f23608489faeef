import { Autocomplete } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import type { ReactNode } from "react";

import { api } from "@/api/client";

import { figure } from "./amounts";
import { pairInWords, type Provider } from "./words";

const PAUSE = 200;
const EXAMPLES: Partial<Record<Provider, string>> = {
  openai: "gpt-5.4-mini",
  anthropic: "claude-sonnet-5-5",
  google: "gemini-3.5-flash",
  mistral: "mistral-medium-latest",
  azure: "The name of your deployment",
  bedrock: "amazon.nova-pro-v1:0",
  ollama: "llama3.2",
};
// These have their own names, of which no table knows.
const UNLISTED: Provider[] = ["ollama", "compatible", "azure"];

interface Props {
  provider: Provider;
  value?: string;
  error?: ReactNode;
  onChange?: (value: string) => void;
  onFocus?: () => void;
  onBlur?: () => void;
}

/** The provider's name for a model, with those whose prices are known to choose from. */
export function ModelName({ provider, value = "", ...input }: Props) {
  const [asked] = useDebouncedValue(value, PAUSE);
  const listed = !UNLISTED.includes(provider);
  const { data } = api.useQuery(
    "get",
    "/api/v1/models/prices",
    { params: { query: { provider, model: asked, PageSize: 100 } } },
    { enabled: listed, staleTime: 600_000, placeholderData: (before: unknown) => before as never },
  );
  const lines = listed ? (data?.items ?? []) : [];
  const known = lines.find(({ model }) => model === value);
  return (
    <Autocomplete
      label="Model"
      description={
        known
          ? `${pairInWords(known.inputPrice, known.outputPrice)} for a million tokens${
              known.window ? `, a window of ${figure(known.window)} tokens` : ""
            }`
          : "As the provider calls it"
      }
      placeholder={EXAMPLES[provider]}
      data={[...new Set(lines.map(({ model }) => model))]}
      limit={30}
      maxDropdownHeight={220}
      autoComplete="off"
      value={value}
      {...input}
    />
  );
}
