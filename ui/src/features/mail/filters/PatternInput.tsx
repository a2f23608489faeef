import { ActionIcon, Code, Popover, Text, TextInput, type TextInputProps } from "@mantine/core";
import { IconHelp } from "@tabler/icons-react";
import { Fragment, type ReactNode } from "react";

import styles from "./Filters.module.css";
import type { Field } from "./filterForm";

const MONOSPACE = { input: { fontFamily: "var(--mantine-font-family-monospace)" } };

const EXAMPLES: [pattern: string, finds: string][] = [
  ["invoice", "the word anywhere, in capitals or not"],
  ["@domain\\.com", "everyone at a domain; a dot of its own stands for any letter"],
  ["client[0-9]+@domain\\.com", "client1, client22 and so on"],
  ["^Re:", "at the very beginning; $ is the very end"],
  ["(bill|invoice) [0-9]+", "one word or the other, then a number"],
  ["\\burgent\\b", "the word alone, not within another"],
  ["(?-i)ACME", "only in capitals"],
];

const PLACEHOLDERS: Partial<Record<Field, string>> = {
  Subject: "invoice|reminder",
  Body: "\\bcontract\\b",
  Date: "Saturday|Sunday",
};

interface Props extends TextInputProps {
  field: Field;
  /** What is wrong with what is typed so far. */
  wrong?: string;
}

/** A regular expression; what is wrong with it is said beneath, with the place marked. */
export function PatternInput({ field, wrong, error, value, ...rest }: Props) {
  const told = wrong ?? error;
  return (
    <TextInput
      {...rest}
      value={value}
      label="Pattern"
      placeholder={PLACEHOLDERS[field] ?? "client[0-9]+@domain\\.com"}
      maxLength={1000}
      autoComplete="off"
      autoCapitalize="off"
      spellCheck={false}
      styles={MONOSPACE}
      style={{ flex: 1 }}
      rightSection={<Help />}
      error={told ? <Fault pattern={String(value ?? "")}>{told}</Fault> : undefined}
      data-autofocus
    />
  );
}

/** The place that the message names, pointed at in the pattern itself. */
function Fault({ pattern, children }: { pattern: string; children: ReactNode }) {
  const place = typeof children === "string" ? /at character (\d+)/.exec(children)?.[1] : undefined;
  const letters = Array.from(pattern);
  const at = place ? Number(place) - 1 : -1;
  return (
    <>
      {children}
      {at >= 0 && at < letters.length && (
        <span className={styles.fault} aria-hidden>
          {letters.slice(Math.max(0, at - 30), at).join("")}
          <mark>{letters[at]}</mark>
          {letters.slice(at + 1, at + 30).join("")}
        </span>
      )}
    </>
  );
}

function Help() {
  return (
    <Popover position="bottom-end" width={380} withArrow trapFocus returnFocus>
      <Popover.Target>
        <ActionIcon variant="subtle" color="gray" size="sm" aria-label="How patterns are written">
          <IconHelp size={16} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown
        aria-label="How patterns are written"
        tabIndex={-1}
        // Escape closes this alone, not the dialog around it.
        data-mantine-stop-propagation
      >
        <Text size="sm" mb="xs">
          A regular expression as RE2 takes it. It is found anywhere in the field. A date looks like
          2026-03-31 Tuesday 14:05.
        </Text>
        <dl className={styles.help}>
          {EXAMPLES.map(([pattern, finds]) => (
            <Fragment key={pattern}>
              <dt>
                <Code>{pattern}</Code>
              </dt>
              <dd>{finds}</dd>
            </Fragment>
          ))}
        </dl>
      </Popover.Dropdown>
    </Popover>
  );
}
