import { useQuery } from "@tanstack/react-query";

import { TextLink } from "@/components/TextLink";
import { Visible } from "@/features/gate/shared/Untrusted";

import { itemsOf } from "../useCases";
import { toItem } from "../useSought";
import { type Item, titleOf } from "../words";
import styles from "./Pane.module.css";

/** Which items it came in the place of, one after the other, and which came in its place. */
export function Chain({ item }: { item: Item }) {
  const isInChain = item.supersedes !== null || item.supersededBy.length > 0;
  const { data } = useQuery({ ...itemsOf(item.caseId), enabled: isInChain });
  if (!isInChain || !data) return null;
  const known = new Map(data.items.map((one) => [one.id, one]));
  const earlier = earlierOf(item, known);
  return (
    <ul className={styles.chain} role="list" aria-label="What it replaces">
      {earlier.map((id) => (
        <li key={id}>
          Comes in the place of <Named id={id} caseId={item.caseId} known={known} />
        </li>
      ))}
      {item.supersededBy.map((id) => (
        <li key={id}>
          Replaced by <Named id={id} caseId={item.caseId} known={known} />
        </li>
      ))}
    </ul>
  );
}

/** A chain that bites its tail ends there. */
function earlierOf(item: Item, known: Map<string, Item>): string[] {
  const found: string[] = [];
  let next = item.supersedes;
  while (next && next !== item.id && !found.includes(next)) {
    found.push(next);
    next = known.get(next)?.supersedes ?? null;
  }
  return found;
}

function Named(props: { id: string; caseId: string; known: Map<string, Item> }) {
  const found = props.known.get(props.id);
  if (!found) return "an item that was removed";
  return (
    <TextLink
      to="/results"
      search={(before) => ({ ...before, ...toItem(props.caseId, props.id) })}
      size="sm"
    >
      <Visible>{titleOf(found)}</Visible>
    </TextLink>
  );
}
