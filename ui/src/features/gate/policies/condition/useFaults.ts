import { useDebouncedValue } from "@mantine/hooks";

import { api } from "@/api/client";

import { parsed } from "./parts";

/** What is wrong with a condition, in words and with its place; null while it is fine. */
export function useFaults(text: string): string | null {
  const [settled] = useDebouncedValue(text, 250);
  const condition = parsed(settled);
  const check = api.useQuery(
    "post",
    "/api/v1/rules/check",
    { body: { condition } },
    { enabled: condition !== undefined, staleTime: Infinity, gcTime: 60_000 },
  );
  if (parsed(text) === undefined) return NOT_JSON;
  // An answer about another text than the one that stands there says nothing.
  if (settled !== text || !check.data) return null;
  return (
    check.data.faults
      .map(({ path, message }) => (path ? `At ${path}: ${message}` : message))
      .join("; ") || null
  );
}

export const NOT_JSON = "This is not JSON: look for a missing bracket, comma or quotation mark";
