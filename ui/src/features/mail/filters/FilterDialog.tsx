import { Group, NativeSelect, TextInput } from "@mantine/core";

import { api, http, type Schemas } from "@/api/client";
import { FormDialog } from "@/components/FormDialog";
import { useFormDialog } from "@/components/useFormDialog";

import { bodyOf, checks, FIELDS, type Filter, type FilterValues, formValues } from "./filterForm";
import { PatternInput } from "./PatternInput";
import { Preview } from "./Preview";
import { usePreview } from "./usePreview";
import { FILTERS } from "./useFilters";

interface Props {
  opened: boolean;
  onClose: () => void;
  workspaceId: string;
  directors: Schemas["AgentOut"][];
  /** The filter to change; without one, another is added. */
  filter?: Filter;
}

/** Adds or changes a filter, with what it would have matched in sight. */
export function FilterDialog({ opened, onClose, workspaceId, directors, filter }: Props) {
  const accounts = (api.useQuery("get", "/api/v1/accounts").data?.items ?? []).filter(
    (one) => one.workspaceId === workspaceId,
  );
  const { form, dialog } = useFormDialog<FilterValues, Filter>({
    opened,
    onClose,
    initialValues: formValues(filter, directors[0]?.id ?? ""),
    validate: checks,
    affects: ["filter"],
    send: (values) => {
      const body = bodyOf(values);
      return filter
        ? http.PATCH("/api/v1/filters/{filter_id}", {
            params: { path: { filter_id: filter.id } },
            body,
          })
        : http.POST(FILTERS, { body: { workspaceId, ...body } });
    },
  });
  const { field, regex, accountId } = form.values;
  const preview = usePreview({ opened, workspaceId, field, regex, accountId, id: filter?.id });
  return (
    <FormDialog
      title={filter ? `Edit “${filter.name}”` : "New filter"}
      verb={filter ? "Save" : "Add the filter"}
      size="lg"
      steady
      {...dialog}
    >
      <Group align="flex-start" gap="sm" wrap="nowrap">
        <NativeSelect label="Where" data={FIELDS} {...form.getInputProps("field")} />
        <PatternInput field={field} wrong={preview.wrong} {...form.getInputProps("regex")} />
      </Group>
      <NativeSelect
        label="Give it to"
        data={directorChoices(directors, filter)}
        {...form.getInputProps("directorId")}
      />
      {accounts.length > 0 && (
        <NativeSelect
          label="Of which account"
          data={[
            { value: "", label: "All accounts" },
            ...accounts.map(({ id, label }) => ({ value: id, label })),
          ]}
          {...form.getInputProps("accountId")}
        />
      )}
      <TextInput
        label="Name"
        description="Left empty, it is made of the pattern"
        maxLength={100}
        {...form.getInputProps("name")}
      />
      <Preview preview={preview} />
    </FormDialog>
  );
}

/** One that is chosen already stays in the list. */
function directorChoices(directors: Props["directors"], filter: Filter | undefined) {
  const known = directors.map(({ id, name, isActive }) => ({
    value: id,
    label: isActive === false ? `${name} (switched off)` : name,
  }));
  if (!filter || directors.some(({ id }) => id === filter.directorId)) return known;
  return [{ value: filter.directorId, label: "A director that is gone" }, ...known];
}
