import { useSortable } from "@dnd-kit/sortable";
import { Menu, NativeSelect, Text, Textarea } from "@mantine/core";
import { IconGripVertical } from "@tabler/icons-react";
import { useRef } from "react";

import { MoreMenu } from "@/components/MoreMenu";

import { type Block, roleName, type Role, ROLES } from "./content";
import { InsertVariable } from "./InsertVariable";
import styles from "./Prompts.module.css";

const MOST = 50_000;

interface Props {
  block: Block;
  label: string;
  fault?: string;
  readOnly: boolean;
  variables: { name: string; meaning: string }[];
  onChange: (values: Partial<Block>) => void;
  onUp?: () => void;
  onDown?: () => void;
  onRemove: () => void;
}

/** One message: who says it, and what. */
export function BlockEditor(props: Props) {
  const { block, label, fault, readOnly, variables, onChange, onUp, onDown, onRemove } = props;
  const field = useRef<HTMLTextAreaElement>(null);
  const { setNodeRef, attributes, listeners, transform, transition, isDragging } = useSortable({
    id: block.key,
    disabled: readOnly,
  });
  const moved = transform ? `translate3d(0, ${Math.round(transform.y)}px, 0)` : undefined;
  const insert = (name: string) => {
    const { content } = block;
    const from = field.current?.selectionStart ?? content.length;
    const to = field.current?.selectionEnd ?? content.length;
    const mark = `{{${name}}}`;
    onChange({ content: content.slice(0, from) + mark + content.slice(to) });
    // Once the new text stands there, the writing goes on behind it.
    window.setTimeout(() => {
      field.current?.focus();
      field.current?.setSelectionRange(from + mark.length, from + mark.length);
    });
  };
  return (
    <li
      ref={setNodeRef}
      className={styles.block}
      style={{ transform: moved, transition }}
      data-dragging={isDragging || undefined}
    >
      <div className={styles.head}>
        {!readOnly && (
          <button
            type="button"
            className={styles.handle}
            {...attributes}
            {...listeners}
            aria-label={`Move ${label.toLowerCase()}`}
          >
            <IconGripVertical size={16} aria-hidden />
          </button>
        )}
        {readOnly ? (
          <Text size="sm" fw={500}>
            {roleName(block.role)}
          </Text>
        ) : (
          <NativeSelect
            size="xs"
            aria-label={`Who says ${label.toLowerCase()}`}
            data={ROLES}
            value={block.role}
            onChange={(event) => onChange({ role: event.currentTarget.value as Role })}
          />
        )}
        <span className={styles.space} />
        {!readOnly && (
          <>
            <InsertVariable label={label} variables={variables} onInsert={insert} />
            <MoreMenu label={`More for ${label.toLowerCase()}`}>
              {onUp && <Menu.Item onClick={onUp}>Move up</Menu.Item>}
              {onDown && <Menu.Item onClick={onDown}>Move down</Menu.Item>}
              <Menu.Item onClick={onRemove}>Delete</Menu.Item>
            </MoreMenu>
          </>
        )}
      </div>
      <Textarea
        ref={field}
        aria-label={label}
        autosize
        minRows={2}
        maxRows={24}
        maxLength={MOST}
        value={block.content}
        error={fault}
        readOnly={readOnly}
        placeholder={readOnly ? undefined : "Write here. {{name}} stands for a value."}
        onChange={(event) => onChange({ content: event.currentTarget.value })}
      />
    </li>
  );
}
