import { Paper, Radio, Stack, Text, Textarea } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";

import type { Account } from "../words";
import { type AccountValues, SOURCES } from "./accountForm";

interface Props {
  form: UseFormReturnType<AccountValues>;
  account: Account;
}

/** What an account signs its mail with, and how that looks. */
export function Signature({ form, account }: Props) {
  const { source, text } = form.values;
  return (
    <>
      <Radio.Group label="Signature" {...form.getInputProps("source")}>
        <Stack gap={6} mt={6}>
          {SOURCES.map(({ value, label }) => (
            <Radio key={value} value={value} label={label} />
          ))}
        </Stack>
      </Radio.Group>
      {source === "own" && (
        <Textarea
          label="Your signature"
          autosize
          minRows={3}
          maxRows={10}
          maxLength={10_000}
          {...form.getInputProps("text")}
          error={form.errors.signature ?? form.errors.text}
        />
      )}
      <Preview source={source} text={text} account={account} />
    </>
  );
}

function Preview({
  source,
  text,
  account,
}: { account: Account } & Pick<AccountValues, "source" | "text">) {
  if (source === "none") return null;
  const isNew = source === "provider" && account.signature.source !== "provider";
  const shown = source === "own" ? text : account.signature.text;
  return (
    <Paper withBorder radius="md" px="md" py="sm" role="group" aria-label="How mail ends">
      <Text size="xs" c="dimmed" mb={4}>
        How mail from {account.address} ends
      </Text>
      <Text size="sm" style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
        {isNew
          ? "It is fetched from the provider when you save."
          : `-- \n${shown || "(nothing yet)"}`}
      </Text>
    </Paper>
  );
}
