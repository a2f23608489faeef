import { NativeSelect, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";

import { Tag } from "@/components/StateMark";
import { When } from "@/components/When";
import { Visible } from "@/features/gate/shared/Untrusted";

import { contentOf } from "../preview/content";
import { plain } from "../preview/plain";
import { SHAPE_ICONS } from "../tree/TreeRow";
import { toItem } from "../useSought";
import { type Item, shapeInWords, shapeOf, titleOf } from "../words";
import styles from "./Items.module.css";

const MANY = 6;

/** What came of a mail: pictures in a panel of their own, all else as cards. */
export function Items({ items }: { items: Item[] }) {
  const [wanted, setWanted] = useState<Wanted>({ kind: "", tag: "", author: "" });
  const shown = items.length < MANY ? items : items.filter((item) => isWanted(item, wanted));
  const pictures = shown.filter((item) => shapeOf(item) === "picture");
  const others = shown.filter((item) => shapeOf(item) !== "picture");
  return (
    <>
      {items.length >= MANY && <Filters items={items} wanted={wanted} onChange={setWanted} />}
      {others.length > 0 && (
        <ul className={styles.cards} role="list" aria-label="Items">
          {others.map((item) => (
            <li key={item.id}>
              <Card item={item} />
            </li>
          ))}
        </ul>
      )}
      {pictures.length > 0 && (
        <ul className={styles.pictures} role="list" aria-label="Pictures">
          {pictures.map((item) => (
            <li key={item.id}>
              <ToItem item={item} className={styles.picture}>
                <img
                  src={`${contentOf(item)}?r=${item.revision}`}
                  alt={item.description || titleOf(item)}
                  loading="lazy"
                />
                <span>
                  <Visible>{titleOf(item)}</Visible>
                </span>
              </ToItem>
            </li>
          ))}
        </ul>
      )}
      {shown.length === 0 && (
        <Text size="sm" c="dimmed">
          None of the items is like that.
        </Text>
      )}
    </>
  );
}

function Card({ item }: { item: Item }) {
  const Icon = SHAPE_ICONS[shapeOf(item)];
  return (
    <ToItem item={item} className={styles.card}>
      <span className={styles.title}>
        <Icon size={16} stroke={1.6} aria-hidden />
        <span dir="auto">
          <Visible>{titleOf(item)}</Visible>
        </span>
      </span>
      <span className={styles.preview} dir="auto">
        <Visible>{beginningOf(item)}</Visible>
      </span>
      <span className={styles.foot}>
        <span>
          {item.author.name}, <When at={item.updated} />
        </span>
        {item.supersededBy.length > 0 && <Tag>replaced</Tag>}
        {item.tags.slice(0, 2).map((tag) => (
          <Tag key={tag}>{tag}</Tag>
        ))}
      </span>
    </ToItem>
  );
}

/** What a card says of its content: of a page no marks, for nobody reads those. */
function beginningOf(item: Item): string {
  const shape = shapeOf(item);
  const text = shape === "markdown" ? plain(item.preview) : shape === "html" ? "" : item.preview;
  return item.description || text.trim() || (item.mimeType ?? shapeInWords(item));
}

interface ToItemProps {
  item: Item;
  className?: string;
  children: React.ReactNode;
}

function ToItem({ item, className, children }: ToItemProps) {
  return (
    <Link
      to="/results"
      search={(before) => ({ ...before, ...toItem(item.caseId, item.id) })}
      resetScroll={false}
      className={className}
    >
      {children}
    </Link>
  );
}

interface Wanted {
  kind: string;
  tag: string;
  author: string;
}

const isWanted = (item: Item, { kind, tag, author }: Wanted) =>
  (!kind || shapeInWords(item) === kind) &&
  (!tag || item.tags.includes(tag)) &&
  (!author || item.author.name === author);

interface FiltersProps {
  items: Item[];
  wanted: Wanted;
  onChange: (wanted: Wanted) => void;
}

function Filters({ items, wanted, onChange }: FiltersProps) {
  const choices = [
    ["kind", "Kind", "All kinds", items.map(shapeInWords)],
    ["tag", "Tag", "All tags", items.flatMap(({ tags }) => tags)],
    ["author", "Made by", "By anyone", items.map(({ author }) => author.name)],
  ] as const;
  return (
    <div className={styles.filters}>
      {choices.map(([name, label, any, given]) => {
        const values = [...new Set(given)].toSorted();
        if (values.length < 2) return null;
        return (
          <NativeSelect
            key={name}
            size="xs"
            aria-label={label}
            data={[{ value: "", label: any }, ...values]}
            value={wanted[name]}
            onChange={({ currentTarget: { value } }) => onChange({ ...wanted, [name]: value })}
          />
        );
      })}
    </div>
  );
}
