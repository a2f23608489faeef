import { Group, NativeSelect, SegmentedControl } from "@mantine/core";

import { api } from "@/api/client";

const STATES = [
  { value: "", label: "All states" },
  { value: "failed", label: "Failed" },
  { value: "running", label: "At work" },
  { value: "waiting", label: "Waiting" },
  { value: "completed", label: "Done" },
  { value: "cancelled", label: "Stopped" },
] as const;
const HOUR = 3_600_000;
const PERIODS = [
  { value: "", label: "At any time" },
  { value: String(HOUR), label: "In the last hour" },
  { value: String(24 * HOUR), label: "In the last day" },
  { value: String(7 * 24 * HOUR), label: "In the last week" },
];

export interface Filter {
  view: "tree" | "flat";
  state: (typeof STATES)[number]["value"];
  directorId: string;
  period: string;
  /** When the period begins; fixed when it is chosen. */
  since: string;
}

export const NO_FILTER: Filter = { view: "tree", state: "", directorId: "", period: "", since: "" };

interface Props {
  filter: Filter;
  onChange: (filter: Filter) => void;
}

/** How the work is shown, and which. */
export function Filters({ filter, onChange }: Props) {
  const directors = api.useQuery("get", "/api/v1/directors").data?.items ?? [];
  const set = (values: Partial<Filter>) => onChange({ ...filter, ...values });
  const setPeriod = (period: string) =>
    set({ period, since: period && new Date(Date.now() - Number(period)).toISOString() });
  return (
    <Group gap="sm">
      <SegmentedControl
        aria-label="How to show it"
        data={[
          { value: "tree", label: "Grouped" },
          { value: "flat", label: "Flat" },
        ]}
        value={filter.view}
        onChange={(view) => set({ view })}
      />
      <NativeSelect
        aria-label="Which runs to show"
        data-filter
        data={[...STATES]}
        value={filter.state}
        onChange={(event) => set({ state: event.currentTarget.value as Filter["state"] })}
      />
      <NativeSelect
        aria-label="Of which director"
        data={[
          { value: "", label: "All directors" },
          ...directors.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        value={filter.directorId}
        onChange={(event) => set({ directorId: event.currentTarget.value })}
      />
      <NativeSelect
        aria-label="From when"
        data={PERIODS}
        value={filter.period}
        onChange={(event) => setPeriod(event.currentTarget.value)}
      />
    </Group>
  );
}
