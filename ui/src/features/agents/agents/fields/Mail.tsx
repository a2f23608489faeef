import { MultiSelect, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";

import { api } from "@/api/client";
import { TextLink } from "@/components/TextLink";
import { fieldInWords } from "@/features/mail/filters/filterForm";
import { filtersOf } from "@/features/mail/filters/useFilters";

import type { Form } from "./form";

interface Props {
  form: Form;
  /** The director, if it is there already. */
  id?: string;
}

/** Whose mail reaches a director, and by which filters. */
export function Mail({ form: { values, faults, set }, id }: Props) {
  const { workspaceId, mailAccounts } = values;
  const accounts = api.useQuery("get", "/api/v1/accounts").data?.items ?? [];
  const here = accounts.filter((one) => one.workspaceId === workspaceId);
  const gone = mailAccounts.filter((one) => !here.some((account) => account.id === one));
  const data = [
    ...here.map((account) => ({ value: account.id, label: account.label })),
    ...gone.map((one) => ({ value: one, label: "an account that is gone, or not yours" })),
  ];
  return (
    <Stack gap="md">
      <MultiSelect
        label="Its accounts"
        description="Only their mail reaches it. None: those of its owner, and if it is shared those of all members"
        placeholder={mailAccounts.length > 0 ? undefined : "All of its owner’s"}
        searchable
        disabled={data.length === 0}
        data={data}
        value={mailAccounts}
        error={faults.fields.accounts}
        onChange={(chosen) => set({ mailAccounts: chosen })}
      />
      {id && <Filters directorId={id} workspaceId={workspaceId} />}
    </Stack>
  );
}

function Filters({ directorId, workspaceId }: { directorId: string; workspaceId: string }) {
  const all = useQuery(filtersOf(workspaceId)).data?.items ?? [];
  const filters = all.filter((filter) => filter.directorId === directorId);
  const search = { workspace: workspaceId };
  return (
    <div>
      <Text size="sm" fw={500}>
        Filters that lead to it
      </Text>
      {filters.map(({ id, name, field, regex, enabled }) => (
        <Text key={id} size="sm">
          <TextLink
            to="/mail/filters"
            search={{ ...search, dialog: id }}
            size="sm"
            underline="always"
          >
            {name}
          </TextLink>{" "}
          <Text span c="dimmed" size="sm">
            {fieldInWords(field)} {regex}
            {!enabled && " (switched off)"}
          </Text>
        </Text>
      ))}
      {filters.length === 0 && (
        <Text size="sm" c="dimmed">
          None yet: no mail reaches it.{" "}
          <TextLink to="/mail/filters" search={search} size="sm" underline="always">
            Make one
          </TextLink>
        </Text>
      )}
    </div>
  );
}
