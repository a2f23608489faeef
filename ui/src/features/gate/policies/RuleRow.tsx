import { Menu, Switch } from "@mantine/core";
import { useSortable } from "@dnd-kit/sortable";
import { IconGripVertical } from "@tabler/icons-react";

import rows from "@/components/Rows.module.css";
import { MoreMenu } from "@/components/MoreMenu";
import { StateMark } from "@/components/StateMark";
import { TextLink } from "@/components/TextLink";
import { DecisionMark } from "@/features/gate/shared/DecisionMark";

import { inOneLine, inWords } from "./condition/words";
import type { Logic } from "./condition/kinds";
import type { Rule } from "./ruleForm";
import styles from "./RuleRow.module.css";

interface Props {
  rule: Rule;
  place: number;
  /** For whom it is, if not for all. */
  bounds: string[];
  mayChange: boolean;
  mayMove: boolean;
  isLast: boolean;
  onEnable: (enabled: boolean) => void;
  onMove: (to: number) => void;
  onRemove: () => void;
}

/** One rule: what it says, and where it stands among the others. */
export function RuleRow(props: Props) {
  const { rule, place, mayChange, mayMove, isLast, onEnable, onMove, onRemove } = props;
  const { setNodeRef, attributes, listeners, transform, transition, isDragging } = useSortable({
    id: rule.id,
    disabled: !mayMove,
  });
  const moved = transform ? `translate3d(0, ${Math.round(transform.y)}px, 0)` : undefined;
  return (
    <li
      ref={setNodeRef}
      className={`${rows.row} ${styles.row}`}
      style={{ transform: moved, transition }}
      data-row
      data-dragging={isDragging || undefined}
      tabIndex={-1}
    >
      {mayMove && (
        <button
          type="button"
          className={styles.handle}
          {...attributes}
          {...listeners}
          aria-label={`Move “${rule.name}”`}
        >
          <IconGripVertical size={16} aria-hidden />
        </button>
      )}
      <span className={styles.number}>{place + 1}</span>
      <RuleText {...props} />
      {mayChange && (
        <div className={rows.actions}>
          <Switch
            checked={rule.enabled}
            aria-label={`“${rule.name}” is on`}
            onChange={(event) => onEnable(event.currentTarget.checked)}
          />
          <MoreMenu label={`More for ${rule.name}`}>
            {mayMove && place > 0 && (
              <>
                <Menu.Item onClick={() => onMove(0)}>Move to the top</Menu.Item>
                <Menu.Item onClick={() => onMove(place - 1)}>Move up</Menu.Item>
              </>
            )}
            {mayMove && !isLast && (
              <Menu.Item onClick={() => onMove(place + 1)}>Move down</Menu.Item>
            )}
            <Menu.Item onClick={onRemove}>Delete</Menu.Item>
          </MoreMenu>
        </div>
      )}
    </li>
  );
}

function RuleText({ rule, bounds, mayChange }: Props) {
  const condition = rule.condition as Logic;
  const told = inWords(condition)
    ? [inOneLine(condition)]
    : [rule.description, inOneLine(condition)];
  return (
    <div className={rows.text}>
      <div className={rows.title}>
        {mayChange ? (
          <TextLink to="." search={{ dialog: rule.id }} resetScroll={false} fw={500}>
            {rule.name}
          </TextLink>
        ) : (
          <span>{rule.name}</span>
        )}
        {rule.enabled ? (
          <DecisionMark decision={rule.action} />
        ) : (
          <StateMark state="off">switched off</StateMark>
        )}
      </div>
      {told.filter(Boolean).map((line) => (
        <div key={line} className={styles.summary}>
          {line}
        </div>
      ))}
      {bounds.length > 0 && (
        <div className={rows.meta}>
          {bounds.map((bound) => (
            <span key={bound}>{bound}</span>
          ))}
        </div>
      )}
    </div>
  );
}
