import { Box, Stack, Textarea } from "@mantine/core";

import { api, type Schemas } from "@/api/client";
import { detailOf } from "@/api/problem";
import { ProblemAlert } from "@/components/ProblemAlert";
import { Section } from "@/components/Section";
import { StateMark } from "@/components/StateMark";
import { LoadingForm } from "@/components/states";
import { Unfold } from "@/components/Unfold";

import styles from "./Prompts.module.css";
import { Said } from "./Said";
import type { usePreview } from "./usePreview";

interface Props {
  query: ReturnType<typeof usePreview>;
  /** How many of the messages, at the end, are examples. */
  examples: number;
  values: Record<string, string>;
  onValue: (name: string, value: string) => void;
}

/** What a model would read, with values to try. */
export function Preview({ query: { data, error }, examples, values, onValue }: Props) {
  return (
    <div className={styles.preview} tabIndex={0} role="region" aria-label="Preview">
      <Section title="Preview" description="What the model reads.">
        <ProblemAlert>{error ? detailOf(error) : null}</ProblemAlert>
        {data ? (
          <>
            {data.variables.length > 0 && <Values used={data} values={values} onValue={onValue} />}
            {data.messages.map((message, place) => (
              <Said
                key={place}
                message={message}
                isExample={place >= data.messages.length - examples}
              />
            ))}
          </>
        ) : (
          !error && <LoadingForm />
        )}
      </Section>
    </div>
  );
}

interface ValuesProps {
  used: Schemas["PromptPreviewOut"];
  values: Props["values"];
  onValue: Props["onValue"];
}

/** A field for each variable; the built-in ones have an example without it. */
function Values({ used, values, onValue }: ValuesProps) {
  const known = api.useQuery("get", "/api/v1/prompts/variables").data?.items ?? [];
  const example = (name: string) => known.find((one) => one.name === name)?.example ?? "";
  return (
    <Box mb="sm">
      <Unfold
        look="fields"
        label={`Values (${used.variables.length})`}
        opened={used.missing.length > 0}
        beside={
          used.missing.length > 0 && (
            <StateMark state="warning">no value: {used.missing.join(", ")}</StateMark>
          )
        }
      >
        <Stack gap="xs">
          {used.variables.map((name) => (
            <Textarea
              key={name}
              size="xs"
              label={`{{${name}}}`}
              autosize
              minRows={1}
              maxRows={6}
              maxLength={50_000}
              placeholder={example(name)}
              value={values[name] ?? ""}
              onChange={(event) => onValue(name, event.currentTarget.value)}
            />
          ))}
        </Stack>
      </Unfold>
    </Box>
  );
}
