import type { Schemas } from "@/api/client";
import { needed } from "@/api/forms";

export type Filter = Schemas["FilterOut"];
export type Field = Filter["field"];

/** What a filter looks at, as people say it. */
export const FIELDS: { value: Field; label: string }[] = [
  { value: "From", label: "From" },
  { value: "To", label: "To" },
  { value: "CC", label: "Cc" },
  { value: "BCC", label: "Bcc" },
  { value: "Subject", label: "Subject" },
  { value: "Body", label: "Text" },
  { value: "Date", label: "Date" },
];

export const fieldInWords = (field: Field) =>
  FIELDS.find(({ value }) => value === field)?.label ?? field;

export const formValues = (filter: Filter | undefined, directorId: string) => ({
  name: filter?.name ?? "",
  field: filter?.field ?? "From",
  regex: filter?.regex ?? "",
  directorId: filter?.directorId ?? directorId,
  accountId: filter?.accountId ?? "",
});

export type FilterValues = ReturnType<typeof formValues>;

export const checks = {
  regex: needed("A pattern"),
  directorId: needed("A director"),
};

/** What is sent: an empty name is made by the server, an empty account means all. */
export function bodyOf({ name, accountId, ...values }: FilterValues) {
  const named = name.trim() ? { name: name.trim() } : {};
  return { ...values, ...named, accountId: accountId || null };
}

/** The same filter once more, after it was deleted. */
export function recreated({
  workspaceId,
  name,
  field,
  regex,
  directorId,
  accountId,
  enabled,
}: Filter) {
  return { workspaceId, name, field, regex, directorId, accountId, enabled };
}
