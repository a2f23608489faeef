import { MultiSelect, Stack } from "@mantine/core";

import { api } from "@/api/client";

import type { Form } from "./form";
import { ColleagueOrder } from "./ColleagueOrder";

const ABOUT = "Each works within its own scope. What it read of strangers counts for this one too";
const NONE = "No other agent of yours is switched on in this workspace";

interface Props {
  form: Form;
  /** The agent itself, which cannot ask itself. */
  id?: string;
  ownerId: string;
}

/** Other agents that it may ask. */
export function Colleagues({ form: { values, faults, set }, id, ownerId }: Props) {
  const agents = api.useQuery("get", "/api/v1/agents").data?.items ?? [];
  const offered = agents.filter(
    (one) =>
      one.id !== id &&
      one.workspaceId === values.workspaceId &&
      one.isActive &&
      (one.shared || one.ownerId === ownerId),
  );
  const nameOf = (wanted: string) =>
    agents.find((one) => one.id === wanted)?.name ?? "an agent that is gone";
  const gone = values.colleagues.filter((one) => !offered.some((agent) => agent.id === one));
  const data = [
    ...offered.map((agent) => ({ value: agent.id, label: agent.name })),
    ...gone.map((one) => ({ value: one, label: `${nameOf(one)} (not available)` })),
  ];
  return (
    <Stack gap="md">
      <MultiSelect
        label="Agents that it may ask"
        description={data.length > 0 ? ABOUT : NONE}
        placeholder={values.colleagues.length > 0 ? undefined : "None"}
        searchable
        maxValues={50}
        disabled={data.length === 0}
        data={data}
        value={values.colleagues}
        error={faults.fields.colleagues}
        onChange={(colleagues) => set({ colleagues })}
      />
      {values.colleagues.length > 1 && (
        <ColleagueOrder
          items={values.colleagues.map((one) => ({ id: one, name: nameOf(one) }))}
          onOrder={(colleagues) => set({ colleagues })}
        />
      )}
      {values.kind === "director" && (
        <MultiSelect
          label="Agents whose own memories it may read"
          description="What they remember for themselves. It reads them, and cannot change them"
          placeholder={values.memoryAccess.length > 0 ? undefined : "None"}
          searchable
          maxValues={50}
          disabled={offered.length === 0 && values.memoryAccess.length === 0}
          data={[
            ...offered.map((agent) => ({ value: agent.id, label: agent.name })),
            ...values.memoryAccess
              .filter((one) => !offered.some((agent) => agent.id === one))
              .map((one) => ({ value: one, label: `${nameOf(one)} (not available)` })),
          ]}
          value={values.memoryAccess}
          error={faults.fields.memoryAccess}
          onChange={(memoryAccess) => set({ memoryAccess })}
        />
      )}
    </Stack>
  );
}
