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

import { Rows } from "@/components/Rows";

import type { Rule } from "./ruleForm";
import { RuleRow } from "./RuleRow";
import type { Bounds } from "./useBounds";
import { useRules } from "./useRules";

const alongTheList: Modifier = ({ transform }) => ({ ...transform, x: 0 });

const INSTRUCTIONS =
  "Press Space to take the rule, the arrow keys to move it, Space again to put it down, and Escape to leave it where it was.";

/** The rules in the order in which they are asked; an admin of the office moves them. */
export function RuleList({ rules, bounds }: { rules: Rule[]; bounds: Bounds }) {
  const { enable, move, remove } = useRules();
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const placeOf = (id: UniqueIdentifier) => rules.findIndex((rule) => rule.id === id);
  const drop = ({ active, over }: DragEndEvent) => {
    if (over) move(rules, placeOf(active.id), placeOf(over.id));
  };
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      modifiers={[alongTheList]}
      accessibility={{
        announcements: announcements(rules, placeOf),
        screenReaderInstructions: { draggable: INSTRUCTIONS },
      }}
      onDragEnd={drop}
    >
      <SortableContext items={rules} strategy={verticalListSortingStrategy}>
        <Rows label="Rules">
          {rules.map((rule, place) => (
            <RuleRow
              key={rule.id}
              rule={rule}
              place={place}
              bounds={bounds.of(rule)}
              mayChange={bounds.mayChange(rule)}
              mayMove={bounds.mayOrder && rules.length > 1}
              isLast={place === rules.length - 1}
              onEnable={(enabled) => enable(rule, enabled)}
              onMove={(to) => move(rules, place, to)}
              onRemove={() => remove(rule)}
            />
          ))}
        </Rows>
      </SortableContext>
    </DndContext>
  );
}

function announcements(rules: Rule[], placeOf: (id: UniqueIdentifier) => number) {
  const name = (id: UniqueIdentifier) => rules[placeOf(id)]?.name ?? "The rule";
  const place = (id: UniqueIdentifier) => `number ${placeOf(id) + 1} of ${rules.length}`;
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
