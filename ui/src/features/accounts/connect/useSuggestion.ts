import { useDebouncedValue } from "@mantine/hooks";
import { useEffect, useEffectEvent } from "react";

import { api, type Schemas } from "@/api/client";

import type { useSchemaForm } from "../form/useSchemaForm";
import type { Connector } from "../words";

const ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@.]{2,}$/;

export type Suggestion = Schemas["SuggestedSettingsOut"];

/** What the address that was typed suggests for the other fields, which it fills. */
export function useSuggestion(
  connector: Connector,
  form: ReturnType<typeof useSchemaForm>,
): Suggestion | undefined {
  const [address] = useDebouncedValue(String(form.values.address ?? "").trim(), 350);
  const { data } = api.useQuery(
    "get",
    "/api/v1/connectors/suggest",
    { params: { query: { address } } },
    { enabled: ADDRESS.test(address), staleTime: Infinity, retry: false },
  );
  const found = data?.items.find((item) => item.connector === connector.name);
  // Only another suggestion fills the fields again.
  const fill = useEffectEvent(form.suggest);
  useEffect(() => {
    if (found) fill(found.settings);
  }, [found]);
  return ADDRESS.test(address) ? found : undefined;
}
