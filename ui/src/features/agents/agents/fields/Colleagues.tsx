import { MultiSelect } from "@mantine/core";

import { api } from "@/api/client";

import type { Form } from "./form";

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
  return (
    <MultiSelect
      label="Agents that it may ask"
      description="Each works within its own scope, and answers when it is done. What it read comes with the answer"
      placeholder={values.colleagues.length > 0 ? undefined : "None"}
      searchable
      maxValues={50}
      nothingFoundMessage="No other agent of yours is switched on here"
      data={[
        ...offered.map((agent) => ({ value: agent.id, label: agent.name })),
        ...gone.map((one) => ({ value: one, label: `${nameOf(one)} (not available)` })),
      ]}
      value={values.colleagues}
      error={faults.fields.colleagues}
      onChange={(colleagues) => set({ colleagues })}
    />
  );
}
