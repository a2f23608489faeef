import { inWords, settingName } from "../office/words";
import styles from "./Difference.module.css";

interface Props {
  before: unknown;
  after: unknown;
}

/** What is different, one line for each thing: the old value struck out, the new one beside it. */
export function Difference({ before, after }: Props) {
  const old = asRecord(before);
  const now = asRecord(after);
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])].filter(
    (name) => JSON.stringify(old[name]) !== JSON.stringify(now[name]) && says(old[name], now[name]),
  );
  if (names.length === 0) return null;
  return (
    <ul className={styles.list} role="list">
      {names.map((name) => (
        <li key={name}>
          <span className={styles.name}>{settingName(name)}</span>{" "}
          {name in old && <del className={styles.old}>{inWords(old[name])}</del>}
          {name in old && name in now && <span aria-hidden> → </span>}
          {name in now && <ins className={styles.now}>{inWords(now[name])}</ins>}
        </li>
      ))}
    </ul>
  );
}

/** Something that was empty before and is empty now needs no line. */
function says(old: unknown, now: unknown): boolean {
  return [old, now].some((value) => value !== null && value !== undefined && !isEmptyList(value));
}

const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0;

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
