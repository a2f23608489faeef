import { Text, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";

import { http } from "@/api/client";
import { FormDialog } from "@/components/FormDialog";
import { useFormDialog } from "@/components/useFormDialog";

import { checks, formValues, type Redaction, type RedactionValues } from "./redactionForm";
import { Redacted } from "./Redacted";

interface Props {
  opened: boolean;
  onClose: () => void;
  /** The pattern to change; without one, a new one is added. */
  redaction?: Redaction;
}

const MONOSPACE = { input: { fontFamily: "var(--mantine-font-family-monospace)" } };

/** Adds or changes a pattern of one's own. */
export function RedactionDialog({ opened, onClose, redaction }: Props) {
  const [sample, setSample] = useState("");
  const { form, dialog } = useFormDialog<RedactionValues, Redaction>({
    opened,
    onClose,
    initialValues: formValues(redaction),
    validate: checks,
    affects: ["redaction"],
    send: (body) =>
      redaction
        ? http.PATCH("/api/v1/redactions/{redaction_id}", {
            params: { path: { redaction_id: redaction.id } },
            body,
          })
        : http.POST("/api/v1/redactions", { body }),
  });
  return (
    <FormDialog
      title={redaction ? `Edit “${redaction.name}”` : "New pattern"}
      verb={redaction ? "Save" : "Add the pattern"}
      size="lg"
      {...dialog}
    >
      <TextInput
        label="Name"
        placeholder="Project numbers"
        data-autofocus
        {...form.getInputProps("name")}
      />
      <TextInput label="Why it is there" {...form.getInputProps("description")} />
      <TextInput
        label="Pattern"
        description="A regular expression as RE2 takes it. With a group, only the group is taken out."
        placeholder="\bPRJ-[0-9]{4}\b"
        autoComplete="off"
        spellCheck={false}
        styles={MONOSPACE}
        {...form.getInputProps("pattern")}
      />
      <TextInput
        label="What stands in its place"
        autoComplete="off"
        styles={MONOSPACE}
        {...form.getInputProps("replacement")}
      />
      <Textarea
        label="Try it on a text"
        description="The text is not kept"
        autosize
        minRows={2}
        maxRows={6}
        value={sample}
        onChange={(event) => setSample(event.currentTarget.value)}
      />
      {form.values.pattern && sample ? (
        <Redacted text={sample} pattern={form.values.pattern} />
      ) : (
        <Text size="sm" c="dimmed">
          Write a pattern and a text, and you see what is found.
        </Text>
      )}
    </FormDialog>
  );
}
