import type { Schemas } from "@/api/client";
import { needed } from "@/api/forms";

export type Redaction = Schemas["RedactionOut"];

/** A pattern as the form holds it. */
export function formValues(redaction?: Redaction) {
  return {
    name: redaction?.name ?? "",
    description: redaction?.description ?? "",
    pattern: redaction?.pattern ?? "",
    replacement: redaction?.replacement ?? "[REDACTED]",
  };
}

export type RedactionValues = ReturnType<typeof formValues>;

export const checks = { name: needed("A name"), pattern: needed("A pattern") };

/** All that makes a pattern what it is, to make it again. */
export const recreated = (redaction: Redaction) => ({
  ...formValues(redaction),
  enabled: redaction.enabled,
});
