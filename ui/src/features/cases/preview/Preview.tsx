import { Loader, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";

import { Failed } from "@/components/states";
import { Untrusted } from "@/features/gate/shared/Untrusted";
import { Markdown } from "@/features/runs/session/markdown/Markdown";

import { oneItem } from "../useCases";
import { type Item, shapeOf, titleOf } from "../words";
import { CsvTable } from "./CsvTable";
import { contentOf } from "./content";
import { Download } from "./Download";
import { JsonTree } from "./JsonTree";
import { Pdf } from "./Pdf";
import styles from "./Preview.module.css";

const LONG = 30_000;
const MUCH = 300_000;

/** An item as what it is. What others wrote can run nothing here, and load nothing. */
export function Preview({ item }: { item: Item }) {
  switch (shapeOf(item)) {
    case "html":
      return (
        <iframe
          key={item.revision}
          className={styles.page}
          title={titleOf(item)}
          src={contentOf(item)}
          sandbox=""
          referrerPolicy="no-referrer"
        />
      );
    case "picture":
      return (
        <img
          key={item.revision}
          className={styles.picture}
          src={`${contentOf(item)}?r=${item.revision}`}
          alt={item.description || titleOf(item)}
        />
      );
    case "pdf":
      return <Pdf key={item.revision} item={item} />;
    case "file":
      return <Download item={item} />;
    default:
      return <Written item={item} />;
  }
}

/** What is text. A list leaves long ones out: then the item itself is asked. */
function Written({ item }: { item: Item }) {
  const query = useQuery({ ...oneItem(item.caseId, item.id), enabled: item.data === null });
  const text = item.data ?? query.data?.data;
  if (query.error) return <Failed error={query.error} retry={query.refetch} />;
  if (text === undefined || text === null) return <Loader size="sm" aria-label="Loading" />;
  if (!text.trim()) {
    return (
      <Text c="dimmed" fs="italic">
        It is empty.
      </Text>
    );
  }
  const shape = text.length > MUCH ? "text" : shapeOf(item);
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
