import { Autocomplete, NativeSelect, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";

import styles from "./FilterBar.module.css";
import type { Filters } from "./filters";
import { MODES, type Mode, type Reach, REACHES } from "./words";

interface Props {
  filters: Filters;
  onChange: (filters: Filters) => void;
  /** Tags that one may choose from. */
  tags: string[];
}

/** What is looked for, and how. */
export function FilterBar({ filters, onChange, tags }: Props) {
  const set = (change: Partial<Filters>) => onChange({ ...filters, ...change });
  return (
    <div className={styles.bar} role="search" aria-label="Memories">
      <TextInput
        className={styles.search}
        type="search"
        aria-label="What to look for"
        placeholder="Search"
        leftSection={<IconSearch size={16} />}
        maxLength={500}
        data-filter
        value={filters.query}
        onChange={(event) => set({ query: event.currentTarget.value })}
      />
      <NativeSelect
        aria-label="How to search"
        data={MODES}
        value={filters.mode}
        onChange={(event) => set({ mode: event.currentTarget.value as Mode })}
      />
      <NativeSelect
        aria-label="For whom"
        data={[{ value: "", label: "For anyone" }, ...REACHES]}
        value={filters.reach}
        onChange={(event) => set({ reach: event.currentTarget.value as Reach | "" })}
      />
      <Autocomplete
        aria-label="Tag"
        placeholder="Any tag"
        data={tags}
        maxLength={50}
        value={filters.tag}
        onChange={(tag) => set({ tag })}
      />
    </div>
  );
}
