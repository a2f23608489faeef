import { TagsInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";

import { api } from "@/api/client";

import styles from "../Tags.module.css";

const FIELD = { input: styles.tags };

interface Props {
  label: string;
  workspaceId: string;
  value: string[];
  onChange: (addresses: string[]) => void;
  error?: ReactNode;
  autoFocus?: boolean;
}

/** Addresses, one after the other; those that are known are offered. */
export function Addresses({ label, workspaceId, value, onChange, error, autoFocus }: Props) {
  const [text, setText] = useState("");
  const [wanted, setWanted] = useState(false);
  const [q] = useDebouncedValue(text.trim(), 150);
  const contacts = api.useQuery(
    "get",
    "/api/v1/workspaces/{workspace_id}/contacts",
    { params: { path: { workspace_id: workspaceId }, query: { q, PageSize: 8 } } },
    { enabled: q.length > 1, placeholderData: keepPreviousData },
  );
  const known = q.length > 1 ? (contacts.data?.items ?? []) : [];
  const names = new Map(known.map(({ address, name }) => [address, name]));
  return (
    <TagsInput
      label={label}
      placeholder={label === "To" && value.length === 0 ? "ada@example.com" : undefined}
      data={[...names.keys()]}
      // An empty list would take the Escape that is meant for the dialog.
      dropdownOpened={wanted && known.length > 0}
      onDropdownOpen={() => setWanted(true)}
      onDropdownClose={() => setWanted(false)}
      // The server has looked in names too.
      filter={({ options }) => options}
      renderOption={({ option }) => (
        <span>
          {names.get(option.value)} {option.value}
        </span>
      )}
      splitChars={[",", ";", " "]}
      acceptValueOnBlur
      classNames={FIELD}
      maxTags={100}
      value={value}
      onChange={(next) => onChange(next.map(bare))}
      searchValue={text}
      onSearchChange={setText}
      error={error}
      data-autofocus={autoFocus || undefined}
    />
  );
}

/** `<ada@example.com>` without its marks. */
const bare = (address: string) => address.trim().replace(/^<(.*)>$/, "$1");
