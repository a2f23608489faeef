import { useSortable } from "@dnd-kit/sortable";
import { ActionIcon } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconGripVertical } from "@tabler/icons-react";

import rows from "@/components/Rows.module.css";
import { SortableRows } from "@/components/SortableRows";
import styles from "@/features/gate/policies/RuleRow.module.css";

interface Named {
  id: string;
  name: string;
}

interface Props {
  items: Named[];
  onOrder: (ids: string[]) => void;
}

/** The order in which an agent sees those that it may ask. */
export function ColleagueOrder({ items, onOrder }: Props) {
  const move = (from: number, to: number) => {
    const ids = items.map(({ id }) => id);
    const moved = ids[from];
    if (moved === undefined || from === to || to < 0 || to >= ids.length) return;
    onOrder(ids.toSpliced(from, 1).toSpliced(to, 0, moved));
  };
  return (
    <SortableRows label="Their order" noun="agent" items={items} onMove={move}>
      {items.map((item, place) => (
        <Colleague
          key={item.id}
          item={item}
          place={place}
          isLast={place === items.length - 1}
          onMove={(to) => move(place, to)}
        />
      ))}
    </SortableRows>
  );
}

interface ColleagueProps {
  item: Named;
  place: number;
  isLast: boolean;
  onMove: (to: number) => void;
}

function Colleague({ item: { id, name }, place, isLast, onMove }: ColleagueProps) {
  const { setNodeRef, attributes, listeners, transform, transition, isDragging } = useSortable({
    id,
  });
  return (
    <li
      ref={setNodeRef}
      className={`${rows.row} ${styles.row}`}
      style={{
        transform: transform ? `translate3d(0, ${Math.round(transform.y)}px, 0)` : undefined,
        transition,
      }}
      data-dragging={isDragging || undefined}
    >
      <button
        type="button"
        className={styles.handle}
        {...attributes}
        {...listeners}
        aria-label={`Move “${name}”`}
      >
        <IconGripVertical size={16} aria-hidden />
      </button>
      <div className={rows.text}>{name}</div>
      <div className={rows.actions}>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`Move “${name}” up`}
          disabled={place === 0}
          onClick={() => onMove(place - 1)}
        >
          <IconArrowUp size={16} />
        </ActionIcon>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`Move “${name}” down`}
          disabled={isLast}
          onClick={() => onMove(place + 1)}
        >
          <IconArrowDown size={16} />
        </ActionIcon>
      </div>
    </li>
  );
}
