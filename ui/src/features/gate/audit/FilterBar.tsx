import { NativeSelect, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";

import { type Filters, TIMES, withTime } from "./filters";
import styles from "./FilterBar.module.css";
import { useChoices } from "./useChoices";
import { DECISION_FILTERS, STATUS_FILTERS } from "./words";

interface Props {
  filters: Filters;
  onChange: (filters: Filters) => void;
}

/** Which entries are shown. */
export function FilterBar({ filters, onChange }: Props) {
  const { callers, tools } = useChoices(filters);
  const select = (name: keyof Filters, label: string, data: { value: string; label: string }[]) => (
    <NativeSelect
      aria-label={label}
      data={data}
      value={filters[name]}
      onChange={(event) => onChange({ ...filters, [name]: event.currentTarget.value })}
    />
  );
  const moment = (name: "from" | "to", label: string) => (
    <TextInput
      type="datetime-local"
      aria-label={label}
      value={filters[name]}
      onChange={(event) => onChange({ ...filters, [name]: event.currentTarget.value })}
    />
  );
  return (
    <div className={styles.bar} role="search" aria-label="Entries">
      <TextInput
        className={styles.search}
        type="search"
        aria-label="Text that the entry contains"
        placeholder="Search"
        leftSection={<IconSearch size={16} />}
        maxLength={128}
        data-filter
        value={filters.q}
        onChange={(event) => onChange({ ...filters, q: event.currentTarget.value })}
      />
      {select("callerId", "Caller", [{ value: "", label: "Any caller" }, ...callers])}
      {select("tool", "Tool", [{ value: "", label: "Any tool" }, ...tools])}
      {select("decision", "Decision", DECISION_FILTERS)}
      {select("status", "Outcome", STATUS_FILTERS)}
      <NativeSelect
        aria-label="Time"
        data={TIMES}
        value={filters.time}
        onChange={(event) => onChange(withTime(filters, event.currentTarget.value))}
      />
      {filters.time === "between" && moment("from", "From")}
      {filters.time === "between" && moment("to", "To")}
    </div>
  );
}
