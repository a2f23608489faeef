import { Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData } from "@tanstack/react-query";

import { api } from "@/api/client";
import { detailOf, fieldErrorsOf } from "@/api/problem";
import { CodeBlock } from "@/components/CodeBlock";

interface Props {
  text: string;
  /** Only this pattern, not those that are in force. */
  pattern?: string;
}

/** A text as others would see it, and what was found in it. */
export function Redacted({ text, pattern }: Props) {
  const [body] = useDebouncedValue({ text, pattern: pattern ?? null }, 250);
  const tried = api.useQuery(
    "post",
    "/api/v1/redactions/try",
    { body },
    { placeholderData: keepPreviousData, staleTime: 0, gcTime: 0 },
  );
  if (tried.error) {
    const [said] = Object.values(fieldErrorsOf(tried.error));
    return (
      <Text size="sm" role="alert">
        {said ?? detailOf(tried.error)}
      </Text>
    );
  }
  const found = tried.data?.found ?? [];
  const said = found.map(({ name, count }) => `${name}${count > 1 ? ` (${count} times)` : ""}`);
  return (
    <div aria-live="polite">
      <Text size="sm" c="dimmed">
        {said.length > 0 ? `Found: ${said.join(", ")}` : "Nothing is taken out."}
      </Text>
      <CodeBlock label="The text as others would see it">{tried.data?.text ?? text}</CodeBlock>
    </div>
  );
}
