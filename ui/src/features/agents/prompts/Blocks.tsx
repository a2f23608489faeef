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
import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";

import { notify } from "@/components/notify";

import { BlockEditor } from "./BlockEditor";
import { type Block, newBlock, nextRole } from "./content";
import styles from "./Prompts.module.css";

const MOST = 50;
const alongTheList: Modifier = ({ transform }) => ({ ...transform, x: 0 });
const INSTRUCTIONS =
  "Press Space to take the message, the arrow keys to move it, Space again to put it down, and Escape to leave it where it was.";

interface Props {
  /** What one of them is called: "Message" or "Example". */
  noun: string;
  blocks: Block[];
  /** What is wrong with a message, by its place. */
  faults: Record<number, string>;
  readOnly: boolean;
  /** Variables that can be put in. */
  variables: { name: string; meaning: string }[];
  onChange: (change: (blocks: Block[]) => Block[]) => void;
}

/** Messages one under the other: written, added, moved and deleted. */
export function Blocks({ noun, blocks, faults, readOnly, variables, onChange }: Props) {
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const placeOf = (key: UniqueIdentifier) => blocks.findIndex((block) => block.key === key);
  const move = (from: number, to: number) => onChange((now) => moved(now, from, to));
  const drop = ({ active, over }: DragEndEvent) => {
    if (over) move(placeOf(active.id), placeOf(over.id));
  };
  const remove = (block: Block, place: number) => {
    onChange((now) => now.filter(({ key }) => key !== block.key));
    notify.undoable(Promise.resolve(), `${noun} ${place + 1} is deleted.`, async () =>
      onChange((now) =>
        now.some(({ key }) => key === block.key) ? now : now.toSpliced(place, 0, block),
      ),
    );
  };
  const accessibility = {
    announcements: announcements(noun, blocks.length, placeOf),
    screenReaderInstructions: { draggable: INSTRUCTIONS },
  };
  return (
    <>
      <DndContext
        sensors={sensors}
        collisionDetection={closestCenter}
        modifiers={[alongTheList]}
        accessibility={accessibility}
        onDragEnd={drop}
      >
        <SortableContext
          items={blocks.map(({ key }) => key)}
          strategy={verticalListSortingStrategy}
        >
          <ol className={styles.blocks} role="list" aria-label={`${noun}s`}>
            {blocks.map((block, place) => (
              <BlockEditor
                key={block.key}
                block={block}
                label={`${noun} ${place + 1}`}
                fault={faults[place]}
                readOnly={readOnly}
                variables={variables}
                onChange={(values) => onChange((now) => changed(now, block.key, values))}
                onUp={place > 0 ? () => move(place, place - 1) : undefined}
                onDown={place < blocks.length - 1 ? () => move(place, place + 1) : undefined}
                onRemove={() => remove(block, place)}
              />
            ))}
          </ol>
        </SortableContext>
      </DndContext>
      {!readOnly && (
        <Button
          mt={blocks.length > 0 ? "xs" : 0}
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} />}
          disabled={blocks.length >= MOST}
          onClick={() => onChange((now) => [...now, newBlock(nextRole(now))])}
        >
          Add {article(noun)}
        </Button>
      )}
    </>
  );
}

const article = (noun: string) => (/^[aeiou]/i.test(noun) ? "an " : "a ") + noun.toLowerCase();

const changed = (blocks: Block[], key: string, values: Partial<Block>) =>
  blocks.map((block) => (block.key === key ? { ...block, ...values } : block));

function moved(blocks: Block[], from: number, to: number): Block[] {
  const block = blocks[from];
  return block ? blocks.toSpliced(from, 1).toSpliced(to, 0, block) : blocks;
}

function announcements(noun: string, count: number, placeOf: (key: UniqueIdentifier) => number) {
  const place = (key: UniqueIdentifier) => `number ${placeOf(key) + 1} of ${count}`;
  type Drag = Pick<DragEndEvent, "active" | "over">;
  return {
    onDragStart: ({ active }: Pick<Drag, "active">) =>
      `${noun} ${placeOf(active.id) + 1} is taken. It is ${place(active.id)}.`,
    onDragOver: ({ over }: Drag) =>
      over ? `The ${noun.toLowerCase()} would be ${place(over.id)}.` : undefined,
    onDragEnd: ({ active, over }: Drag) =>
      `The ${noun.toLowerCase()} is ${place(over?.id ?? active.id)} now.`,
    onDragCancel: () => `The ${noun.toLowerCase()} stays where it was.`,
  };
}
