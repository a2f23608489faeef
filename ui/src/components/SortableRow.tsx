import { useSortable } from "@dnd-kit/sortable";
import { IconGripVertical } from "@tabler/icons-react";
import type { ReactNode } from "react";

import handles from "@/features/gate/policies/RuleRow.module.css";

import styles from "./Rows.module.css";

interface Props {
  id: string;
  name: string;
  mayMove: boolean;
  title: ReactNode;
  marks?: ReactNode;
  meta?: ReactNode[];
  actions?: ReactNode;
}

/** A row with a handle by which it is moved among the others; the actions wrap on a phone. */
export function SortableRow({ id, name, mayMove, title, marks, meta = [], actions }: Props) {
  const { setNodeRef, attributes, listeners, transform, transition, isDragging } = useSortable({
    id,
    disabled: !mayMove,
  });
  const moved = transform ? `translate3d(0, ${Math.round(transform.y)}px, 0)` : undefined;
  return (
    <li
      ref={setNodeRef}
      className={`${styles.row} ${handles.row}`}
      style={{ transform: moved, transition }}
      data-row
      data-wraps
      data-dragging={isDragging || undefined}
      tabIndex={-1}
    >
      {mayMove && (
        <button
          type="button"
          className={handles.handle}
          {...attributes}
          {...listeners}
          aria-label={`Move “${name}”`}
        >
          <IconGripVertical size={16} aria-hidden />
        </button>
      )}
      <div className={styles.text}>
        <div className={styles.title}>
          <span>{title}</span>
          {marks}
        </div>
        <div className={styles.meta}>
          {meta.filter(Boolean).map((fact, index) => (
            <span key={index}>{fact}</span>
          ))}
        </div>
      </div>
      <div className={styles.actions}>{actions}</div>
    </li>
  );
}
