import { NumberInput, SimpleGrid } from "@mantine/core";

import { duration } from "../words";
import type { Form } from "./form";

type Field =
  | "stepLimit"
  | "timeoutSeconds"
  | "maxTokensPerRequest"
  | "maxRequestsPerHour"
  | "tokensPerRun"
  | "tokensPerDay"
  | "moneyPerRun"
  | "moneyPerDay";

const FIELDS: { name: Field; label: string; description: string; max?: number }[] = [
  {
    name: "stepLimit",
    label: "Steps a run",
    description: "How often it may think before it stops",
    max: 200,
  },
  { name: "timeoutSeconds", label: "Seconds at a stretch", description: "", max: 86_400 },
  {
    name: "maxRequestsPerHour",
    label: "Calls an hour",
    description: "Of tools, by all who use it",
    max: 10_000_000,
  },
  {
    name: "maxTokensPerRequest",
    label: "Tokens an answer",
    description: "How long one answer may be",
    max: 1_000_000,
  },
  { name: "tokensPerRun", label: "Tokens a run", description: "Empty: no bound" },
  { name: "tokensPerDay", label: "Tokens a day", description: "Empty: no bound" },
  { name: "moneyPerRun", label: "Dollars a run", description: "Empty: no bound" },
  { name: "moneyPerDay", label: "Dollars a day", description: "Empty: no bound" },
];

const isMoney = (name: Field) => name.startsWith("money");

/** How much it may use. */
export function Bounds({ form: { values, faults, set } }: { form: Form }) {
  const about = (name: Field, description: string) =>
    name === "timeoutSeconds"
      ? `${duration(Number(values.timeoutSeconds))}; waiting for a person does not count`
      : description;
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
      {FIELDS.map(({ name, label, description, max }) => (
        <NumberInput
          key={name}
          label={label}
          description={about(name, description)}
          min={isMoney(name) ? 0.01 : 1}
          max={max}
          allowDecimal={isMoney(name)}
          thousandSeparator=","
          value={values[name]}
          error={faults.fields[name]}
          onChange={(value) => set({ [name]: value })}
        />
      ))}
    </SimpleGrid>
  );
}
