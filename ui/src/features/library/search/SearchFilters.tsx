import { Button, NativeSelect, TextInput } from "@mantine/core";

import { api } from "@/api/client";

import { type Browsed, FILES, type Go } from "../browser/browsed";
import { isFiltered, NO_FILTERS, TYPES } from "./filters";
import styles from "./Search.module.css";

const UNTAGGED = "\n";

interface Props {
  workspace: string;
  browsed: Browsed;
  go: Go;
}

/** Which files are looked for: where, of which type, with which tag, from when. */
export function SearchFilters({ workspace, browsed, go }: Props) {
  const { within, type, tag, untagged, after, before } = browsed;
  const params = { path: { workspace_id: workspace } };
  const notebooks = api.useQuery("get", "/api/v1/workspaces/{workspace_id}/notebooks", { params });
  const used = api.useQuery("get", `${FILES}/tags`, { params });
  const tags = used.data?.tags ?? [];
  const places = [...(notebooks.data?.items.map(({ name }) => name) ?? [])];
  for (const folder of [browsed.folder, within])
    if (folder && !places.includes(folder)) places.push(folder);
  const unlisted = tag && !tags.some((one) => one.tag === tag) ? [{ value: tag, label: tag }] : [];
  return (
    <div className={styles.filters} role="group" aria-label="Which files">
      <NativeSelect
        size="xs"
        label="Where"
        data={[{ value: "", label: "All notebooks" }, ...places]}
        value={within ?? ""}
        onChange={(event) => go({ within: event.currentTarget.value || undefined })}
      />
      <NativeSelect
        size="xs"
        label="Type"
        data={[
          { value: "", label: "Any type" },
          ...TYPES.map(([value, label]) => ({ value, label })),
        ]}
        value={type ?? ""}
        onChange={(event) => go({ type: event.currentTarget.value || undefined })}
      />
      <NativeSelect
        size="xs"
        label="Tag"
        data={[
          { value: "", label: "Any" },
          { value: UNTAGGED, label: "Untagged" },
          ...unlisted,
          ...tags.map((one) => ({ value: one.tag, label: `${one.tag} (${one.files})` })),
        ]}
        value={untagged ? UNTAGGED : (tag ?? "")}
        onChange={({ currentTarget: { value } }) =>
          go({
            untagged: value === UNTAGGED ? true : undefined,
            tag: value && value !== UNTAGGED ? value : undefined,
          })
        }
      />
      <TextInput
        size="xs"
        type="date"
        label="Changed from"
        value={after ?? ""}
        onChange={(event) => go({ after: event.currentTarget.value || undefined })}
      />
      <TextInput
        size="xs"
        type="date"
        label="To"
        value={before ?? ""}
        onChange={(event) => go({ before: event.currentTarget.value || undefined })}
      />
      {isFiltered(browsed) && (
        <Button size="xs" variant="subtle" color="gray" onClick={() => go(NO_FILTERS)}>
          Clear
        </Button>
      )}
    </div>
  );
}
