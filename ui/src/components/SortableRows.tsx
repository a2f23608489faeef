import {
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  type Modifier,
  PointerSensor,
  type UniqueIdentifier,
  useSensor,
  useSensors,
} from "@dnd-kit/core";
import {
  SortableContext,
  sortableKeyboardCoordinates,
  verticalListSortingStrategy,
} from "@dnd-kit/sortable";
import type { ReactNode } from "react";

import { Rows } from "./Rows";

interface Named {
  id: string;
  name: string;
}

interface Props {
  label: string;
  /** What one of them is called: "rule". */
  noun: string;
  items: Named[];
  onMove: (from: number, to: number) => void;
  children: ReactNode;
}

const alongTheList: Modifier = ({ transform }) => ({ ...transform, x: 0 });

/** Rows whose order matters: moved with the pointer, or with the keys of their handles. */
export function SortableRows({ label, noun, items, onMove, children }: Props) {
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const placeOf = (id: UniqueIdentifier) => items.findIndex((item) => item.id === id);
  const drop = ({ active, over }: DragEndEvent) => {
    if (over) onMove(placeOf(active.id), placeOf(over.id));
  };
  const draggable = `Press Space to take the ${noun}, the arrow keys to move it, Space again to put it down, and Escape to leave it where it was.`;
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      modifiers={[alongTheList]}
      accessibility={{
        announcements: announcements(items, noun, placeOf),
        screenReaderInstructions: { draggable },
      }}
      onDragEnd={drop}
    >
      <SortableContext items={items} strategy={verticalListSortingStrategy}>
        <Rows label={label}>{children}</Rows>
      </SortableContext>
    </DndContext>
  );
}

function announcements(items: Named[], noun: string, placeOf: (id: UniqueIdentifier) => number) {
  const name = (id: UniqueIdentifier) => items[placeOf(id)]?.name ?? `The ${noun}`;
  const place = (id: UniqueIdentifier) => `number ${placeOf(id) + 1} of ${items.length}`;
  return {
    onDragStart: ({ active }: { active: { id: UniqueIdentifier } }) =>
      `“${name(active.id)}” is taken. It is ${place(active.id)}.`,
    onDragOver: ({ active, over }: Pick<DragEndEvent, "active" | "over">) =>
      over ? `“${name(active.id)}” would be ${place(over.id)}.` : undefined,
    onDragEnd: ({ active, over }: Pick<DragEndEvent, "active" | "over">) =>
      `“${name(active.id)}” is ${place(over?.id ?? active.id)} now.`,
    onDragCancel: ({ active }: { active: { id: UniqueIdentifier } }) =>
      `“${name(active.id)}” stays where it was.`,
  };
}
