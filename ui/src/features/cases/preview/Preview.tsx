import { Loader } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";

import { Failed } from "@/components/states";

import { oneItem } from "../useCases";
import { type Item, shapeOf, titleOf } from "../words";
import { contentOf, heldOf } from "./content";
import { Download } from "./Download";
import { Pdf } from "./Pdf";
import styles from "./Preview.module.css";
import { TextView } from "./TextView";

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
      return <Pdf key={item.revision} held={heldOf(item)} />;
    case "file":
      return <Download held={heldOf(item)} />;
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
  return <TextView text={text} shape={shapeOf(item)} />;
}
