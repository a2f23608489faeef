import { Text, VisuallyHidden } from "@mantine/core";
import { useMemo } from "react";

import type { Schemas } from "@/api/client";
import { Unfold } from "@/components/Unfold";
import { Untrusted, Visible } from "@/features/gate/shared/Untrusted";
import { counted } from "@/features/llm/models/amounts";

import type { Message } from "../timeline";
import { speakerOf } from "../words";
import styles from "./Compare.module.css";
import { grouped, textOf } from "./rows";
import { type Piece, wordDiff } from "./wordDiff";

type Compared = Schemas["ComparedRow"];

/** What the two runs said and did, line by line; what is the same is folded. */
export function ComparedRows({ rows }: { rows: Compared[] }) {
  return (
    <ol className={styles.rows} role="list" aria-label="Side by side">
      {grouped(rows).map((group) => (
        <li key={group.key}>
          {group.same ? (
            <div className={styles.same}>
              <Unfold label={alike(group.rows.length)}>
                {() => group.rows.map((row, place) => <Line key={place} row={row} />)}
              </Unfold>
            </div>
          ) : (
            group.rows.map((row, place) => <Line key={place} row={row} />)
          )}
        </li>
      ))}
    </ol>
  );
}

const alike = (count: number) =>
  `${counted(count, "message")} ${count === 1 ? "is" : "are"} the same in both`;

function Line({ row: { left, right, same } }: { row: Compared }) {
  const diff = useMemo(
    () => (left && right && !same ? wordDiff(textOf(left), textOf(right)) : null),
    [left, right, same],
  );
  if (same) return <Cell name="Both" message={left} tag="ins" />;
  return (
    <div className={styles.row}>
      <Cell name="First" message={left} pieces={diff?.[0]} tag="del" />
      <Cell name="Second" message={right} pieces={diff?.[1]} tag="ins" />
    </div>
  );
}

interface CellProps {
  name: string;
  message: Message | null;
  /** The text with its differences; without them it is shown as it is. */
  pieces?: Piece[];
  tag: "del" | "ins";
}

function Cell({ name, message, pieces, tag: Tag }: CellProps) {
  return (
    <div className={styles.cell} data-nothing={message === null || undefined}>
      <Text size="sm" c="dimmed">
        <span className={styles.which}>{name}: </span>
        {message ? speakerOf(message) : "Nothing here"}
      </Text>
      {message &&
        (pieces ? (
          <div className={styles.text} dir="auto">
            {pieces.map(({ text, differs }, place) =>
              differs ? (
                <Tag key={place}>
                  <VisuallyHidden>[only {name.toLowerCase()}: </VisuallyHidden>
                  <Visible>{text}</Visible>
                  <VisuallyHidden>]</VisuallyHidden>
                </Tag>
              ) : (
                <Visible key={place}>{text}</Visible>
              ),
            )}
          </div>
        ) : (
          <Untrusted most={1500}>{textOf(message)}</Untrusted>
        ))}
    </div>
  );
}
