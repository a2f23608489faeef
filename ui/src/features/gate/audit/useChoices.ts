import { api } from "@/api/client";

import type { Filters } from "./filters";

/** The callers and tools to choose from: those of late, one's clients, and what is chosen. */
export function useChoices({ callerId, tool }: Filters) {
  const late = api.useQuery(
    "get",
    "/api/v1/audit",
    { params: { query: { PageSize: 100 } } },
    { staleTime: 60_000 },
  );
  const clients = api.useQuery("get", "/api/v1/clients");
  const callers = new Map(clients.data?.items.map(({ id, name }) => [id, name]));
  const tools = new Set<string>();
  for (const entry of late.data?.items ?? []) {
    if (entry.caller.id) callers.set(entry.caller.id, entry.caller.name ?? entry.caller.id);
    if (entry.tool) tools.add(entry.tool);
  }
  if (callerId && !callers.has(callerId)) callers.set(callerId, callerId);
  if (tool) tools.add(tool);
  return {
    callers: [...callers].map(([value, label]) => ({ value, label })).sort(byLabel),
    tools: [...tools].map((value) => ({ value, label: value })).sort(byLabel),
  };
}

const byLabel = (one: { label: string }, other: { label: string }) =>
  one.label.localeCompare(other.label);
