import { Autocomplete, Button, Group, Stack, Text } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useDebouncedValue } from "@mantine/hooks";

import { api } from "@/api/client";

import { lineInWords, type ListedModel } from "./listed";
import type { ModelValues } from "./modelForm";
import { useKeyModels } from "./useKeyModels";
import type { Model, Provider } from "./words";

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
  form: UseFormReturnType<ModelValues>;
  model?: Model;
}

/** The provider's name for a model: written, or chosen from what the key can have or whose prices are known. */
export function ModelName({ form, model }: Props) {
  const { provider, model: value } = form.values;
  const { found, problem, pending, ask } = useKeyModels(form, model);
  const known = useKnown(provider, value);
  const lines = found ?? known;
  const chosen = lines.find((line) => line.model === value);
  const byName = new Map(lines.map((line) => [line.model, line]));
  return (
    <Stack gap={6}>
      <Autocomplete
        label="Model"
        description={chosen ? lineInWords(chosen) : "As the provider calls it"}
        placeholder={EXAMPLES[provider]}
        data={[...byName.keys()]}
        renderOption={({ option }) => <Line line={byName.get(option.value)} />}
        limit={6}
        maxDropdownHeight={420}
        autoComplete="off"
        {...form.getInputProps("model")}
      />
      <Group gap="sm">
        <Button variant="default" size="xs" loading={pending} onClick={ask}>
          Show the models of this key
        </Button>
        <Text size="sm" c="dimmed" role="status">
          {problem ?? (found && counted(found.length))}
        </Text>
      </Group>
    </Stack>
  );
}

const counted = (count: number) =>
  count === 0 ? "It has none." : `${count} to choose from: type a part of a name`;

function Line({ line }: { line?: ListedModel }) {
  if (!line) return null;
  return (
    <div>
      <Text size="sm" style={{ overflowWrap: "anywhere" }}>
        {line.model}
      </Text>
      <Text size="xs" c="dimmed">
        {lineInWords(line)}
      </Text>
    </div>
  );
}

/** Lines of the public table whose name has this in it. */
function useKnown(provider: Provider, value: string): ListedModel[] {
  const [asked] = useDebouncedValue(value, PAUSE);
  const listed = !UNLISTED.includes(provider);
  const { data } = api.useQuery(
    "get",
    "/api/v1/models/prices",
    { params: { query: { provider, model: asked, PageSize: 100 } } },
    { enabled: listed, staleTime: 600_000, placeholderData: (before: unknown) => before as never },
  );
  return listed ? (data?.items ?? []) : [];
}
