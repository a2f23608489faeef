import { Text } from "@mantine/core";

import { Untrusted } from "./Untrusted";

/** What a call is about, in a few words of its own: a title, a path; so that one tells it from the next. */
export function Gist({ values }: { values: Record<string, unknown> }) {
  const texts = Object.entries(values).filter(([, value]) => typeof value === "string" && value);
  const [, text] = texts.find(([name]) => !/(^|_)id$/.test(name)) ?? texts[0] ?? [];
  if (typeof text !== "string") return null;
  return (
    <Text span size="sm" fw={400} c="dimmed">
      <Untrusted most={80} brief>
        {text}
      </Untrusted>
    </Text>
  );
}
