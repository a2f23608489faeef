import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData } from "@tanstack/react-query";

import { api, type Schemas } from "@/api/client";

import { type Content, plain } from "./content";

/** What a model would read, a moment after the last key. */
export function usePreview({ messages, imprint }: Content, values: Record<string, string>) {
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value));
  const text = JSON.stringify({
    messages: plain(messages),
    imprint: plain(imprint),
    values: given,
  });
  const [settled] = useDebouncedValue(text, 400);
  const body = JSON.parse(settled) as Schemas["PromptPreviewIn"];
  return api.useQuery(
    "post",
    "/api/v1/prompts/preview",
    { body },
    { staleTime: Infinity, gcTime: 60_000, placeholderData: keepPreviousData },
  );
}
