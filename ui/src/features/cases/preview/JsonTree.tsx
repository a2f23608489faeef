import { Anchor } from "@mantine/core";
import { useMemo, useState } from "react";

import { Untrusted, Visible } from "@/features/gate/shared/Untrusted";
import { counted } from "@/features/llm/models/amounts";

import styles from "./Preview.module.css";

const FEW = 100;
const OPEN = 2;
const DEEPEST = 100;

/** Data, each part of which can be folded away; what is no JSON stands as it was written. */
export function JsonTree({ text }: { text: string }) {
  const read = useMemo(() => parsed(text), [text]);
  if (!read) {
    return (
      <div className={styles.text}>
        <Untrusted most={30_000}>{text}</Untrusted>
      </div>
    );
  }
  return (
    <div className={styles.json} role="region" aria-label="Data" tabIndex={0} dir="ltr">
      <Value value={read.value} depth={0} />
    </div>
  );
}

function parsed(text: string): { value: unknown } | null {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return null;
  }
}

interface Props {
  name?: string;
  value: unknown;
  depth: number;
}

function Value({ name, value, depth }: Props) {
  if (typeof value !== "object" || value === null || depth > DEEPEST) {
    return (
      <div className={styles.leaf}>
        <Name>{name}</Name>
        <span data-kind={value === null ? "null" : typeof value}>
          <Untrusted most={2000}>{JSON.stringify(value)}</Untrusted>
        </span>
      </div>
    );
  }
  return <Fold name={name} value={value} depth={depth} />;
}

/** What is inside is made once it is looked at: there may be much of it. */
function Fold({ name, value, depth }: Props & { value: object }) {
  const isList = Array.isArray(value);
  const entries: [string, unknown][] = Object.entries(value);
  const [opened, setOpened] = useState(depth < OPEN && entries.length <= FEW);
  const [most, setMost] = useState(FEW);
  const count = counted(entries.length, isList ? "value" : "field");
  return (
    <details open={opened} onToggle={({ currentTarget }) => setOpened(currentTarget.open)}>
      <summary>
        <Name>{name}</Name>
        {isList ? "[" : "{"}
        {!opened && (isList ? "…]" : "…}")} <small>{count}</small>
      </summary>
      {opened && (
        <>
          {entries.slice(0, most).map(([key, inner]) => (
            <Value key={key} name={isList ? undefined : key} value={inner} depth={depth + 1} />
          ))}
          {entries.length > most && (
            <Anchor component="button" type="button" size="sm" onClick={() => setMost(most + 1000)}>
              Show more
            </Anchor>
          )}
          <div>{isList ? "]" : "}"}</div>
        </>
      )}
    </details>
  );
}

function Name({ children }: { children: string | undefined }) {
  if (children === undefined) return null;
  return (
    <>
      <span className={styles.name}>
        <Visible>{children}</Visible>
      </span>
      {": "}
    </>
  );
}
