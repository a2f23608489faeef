import { Text } from "@mantine/core";
import { Fragment } from "react";

import styles from "./Arguments.module.css";
import { Untrusted, Visible } from "./Untrusted";
import { fieldName } from "./words";

/** What a tool was given, as names and values that one can read. */
export function Arguments({ values }: { values: Record<string, unknown> }) {
  const entries = Object.entries(values);
  if (entries.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        Nothing was given
      </Text>
    );
  }
  return (
    <dl className={styles.fields}>
      {entries.map(([name, value]) => (
        <Fragment key={name}>
          <dt>
            <Visible>{fieldName(name)}</Visible>
          </dt>
          <dd>
            <Value of={value} />
          </dd>
        </Fragment>
      ))}
    </dl>
  );
}

/** One value: text as it is, anything deeper as JSON. */
export function Value({ of: value }: { of: unknown }) {
  if (value === null || value === undefined || value === "") {
    return (
      <Text span c="dimmed" size="sm">
        empty
      </Text>
    );
  }
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) {
    return <Untrusted>{value.join("\n")}</Untrusted>;
  }
  return (
    <Untrusted>{typeof value === "string" ? value : JSON.stringify(value, null, 2)}</Untrusted>
  );
}
