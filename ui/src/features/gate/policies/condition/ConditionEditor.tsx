import { Box, SimpleGrid, Text, Textarea } from "@mantine/core";
import { useId } from "react";

import { ConditionForm } from "./ConditionForm";
import { asLogic, asParts, isUnfinished, parsed, type Part, printed } from "./parts";
import { useFaults } from "./useFaults";
import { inWords } from "./words";

interface Props {
  /** The condition as JSON text: the form is another view of it, not another copy. */
  value?: string;
  onChange?: (text: string) => void;
  error?: React.ReactNode;
  tools: string[];
}

/** The form and the JSON-Logic beside it, always saying the same. */
export function ConditionEditor({ value = "true", onChange = () => {}, error, tools }: Props) {
  const id = useId();
  const faults = useFaults(value);
  const logic = parsed(value);
  const parts = logic === undefined ? null : asParts(logic);
  const words = logic === undefined ? null : inWords(logic);
  const write = (next: Part[]) => onChange(printed(asLogic(next)));
  return (
    <Box role="group" aria-labelledby={id}>
      <Text id={id} size="sm" fw={600} mb={4}>
        When it applies
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        <ConditionForm parts={parts} tools={tools} onChange={write} />
        <Textarea
          label="The same as JSON-Logic"
          autosize
          minRows={6}
          maxRows={18}
          spellCheck={false}
          value={value}
          // What the form has not been told yet is no mistake.
          error={(parts?.some(isUnfinished) ? null : faults) ?? error}
          onChange={(event) => onChange(event.currentTarget.value)}
          styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
        />
      </SimpleGrid>
      {words && (
        <Text size="sm" c="dimmed" mt={6} aria-live="polite">
          {words}.
        </Text>
      )}
    </Box>
  );
}
