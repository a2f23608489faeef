import { Group, NativeSelect } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";

import { api } from "@/api/client";

import { KIND_FILTERS, type Run, STATUS_FILTERS } from "./words";

const SIZE = { flex: "1 1 150px", maw: { sm: 220 } };

/** Which runs; it is in the address, so that it can be kept and sent. */
export function Filters({ known }: { known: Run[] }) {
  const { status = "", agent = "", kind = "" } = useSearch({ from: "/shell/runs" });
  const navigate = useNavigate();
  const set = (change: { status?: string; agent?: string; kind?: string }) =>
    void navigate({
      to: "/runs",
      search: (before) => ({ ...before, ...change }),
      replace: true,
      resetScroll: false,
    });
  return (
    <Group gap="xs" mb="md" role="search" aria-label="Runs">
      <NativeSelect
        {...SIZE}
        aria-label="How it stands"
        data-filter
        data={STATUS_FILTERS}
        value={status}
        onChange={(event) => set({ status: event.currentTarget.value || undefined })}
      />
      <NativeSelect
        {...SIZE}
        aria-label="Which agent"
        data={[{ value: "", label: "Any agent" }, ...useAgents(known, agent)]}
        value={agent}
        onChange={(event) => set({ agent: event.currentTarget.value || undefined })}
      />
      <NativeSelect
        {...SIZE}
        aria-label="Which kind"
        data={KIND_FILTERS}
        value={kind}
        onChange={(event) => set({ kind: event.currentTarget.value || undefined })}
      />
    </Group>
  );
}

/** The agents that there are, and those on the page that are gone. */
function useAgents(known: Run[], chosen: string) {
  const { data } = api.useQuery("get", "/api/v1/agents");
  const found = new Map((data?.items ?? []).map(({ id, name }) => [id, name]));
  for (const { agentId, agentName } of known) {
    if (!found.has(agentId)) found.set(agentId, agentName);
  }
  // What the address says is shown even if nobody knows its name.
  if (chosen && !found.has(chosen)) found.set(chosen, "An agent that is gone");
  return [...found].map(([value, label]) => ({ value, label }));
}
