import { Text } from "@mantine/core";

import { Untrusted } from "@/features/gate/shared/Untrusted";
import { Markdown } from "@/markdown/Markdown";

import type { Shape } from "../words";
import { CsvTable } from "./CsvTable";
import { JsonTree } from "./JsonTree";
import styles from "./Preview.module.css";

const LONG = 30_000;
const MUCH = 300_000;

/** A text as what it is; what is too long for that, as it stands. */
export function TextView({ text, shape: wanted }: { text: string; shape: Shape }) {
  if (!text.trim()) {
    return (
      <Text c="dimmed" fs="italic">
        It is empty.
      </Text>
    );
  }
  const shape = text.length > MUCH ? "text" : wanted;
  if (shape === "markdown") {
    return (
      <div className={styles.words}>
        <Markdown>{text}</Markdown>
      </div>
    );
  }
  if (shape === "json") return <JsonTree text={text} />;
  if (shape === "csv") return <CsvTable text={text} />;
  return (
    <div className={styles.text}>
      <Untrusted most={LONG}>{text}</Untrusted>
    </div>
  );
}
