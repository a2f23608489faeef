import { useSortable } from "@dnd-kit/sortable";
import { Code, Menu, Switch } from "@mantine/core";
import { IconGripVertical } from "@tabler/icons-react";

import { api } from "@/api/client";
import { MoreMenu } from "@/components/MoreMenu";
import rows from "@/components/Rows.module.css";
import { StateMark } from "@/components/StateMark";
import { TextLink } from "@/components/TextLink";
import styles from "@/features/gate/policies/RuleRow.module.css";

import { fieldInWords, type Filter } from "./filterForm";

interface Props {
  filter: Filter;
  place: number;
  isLast: boolean;
  mayChange: boolean;
  onEnable: (enabled: boolean) => void;
  onMove: (to: number) => void;
  onRemove: () => void;
}

/** One filter: what it looks for, who gets what fits, and where it stands among the others. */
export function FilterRow(props: Props) {
  const { filter, place, isLast, mayChange, onEnable, onMove, onRemove } = props;
  const { id, name, enabled } = filter;
  const mayMove = mayChange && !(place === 0 && isLast);
  const { setNodeRef, attributes, listeners, transform, transition, isDragging } = useSortable({
    id,
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
          aria-label={`Move “${name}”`}
        >
          <IconGripVertical size={16} aria-hidden />
        </button>
      )}
      <span className={styles.number}>{place + 1}</span>
      <FilterText filter={filter} mayChange={mayChange} />
      {mayChange && (
        <div className={rows.actions}>
          <Switch
            checked={enabled}
            aria-label={`“${name}” is on`}
            onChange={(event) => onEnable(event.currentTarget.checked)}
          />
          <MoreMenu label={`More for ${name}`}>
            {place > 0 && (
              <>
                <Menu.Item onClick={() => onMove(0)}>Move to the top</Menu.Item>
                <Menu.Item onClick={() => onMove(place - 1)}>Move up</Menu.Item>
              </>
            )}
            {!isLast && <Menu.Item onClick={() => onMove(place + 1)}>Move down</Menu.Item>}
            <Menu.Item onClick={onRemove}>Delete</Menu.Item>
          </MoreMenu>
        </div>
      )}
    </li>
  );
}

function FilterText({ filter, mayChange }: { filter: Filter; mayChange: boolean }) {
  const { id, name, field, regex, directorId, directorName, accountId, enabled, problem } = filter;
  const accounts = api.useQuery("get", "/api/v1/accounts").data?.items;
  const account = accounts?.find((one) => one.id === accountId)?.label;
  return (
    <div className={rows.text}>
      <div className={rows.title}>
        {mayChange ? (
          <TextLink
            to="."
            search={(before) => ({ ...before, dialog: id })}
            resetScroll={false}
            fw={500}
          >
            {name}
          </TextLink>
        ) : (
          <span>{name}</span>
        )}
        {!enabled && <StateMark state="off">switched off</StateMark>}
        {problem && <StateMark state="warning">{problem}</StateMark>}
      </div>
      <div className={rows.meta}>
        <span>
          {fieldInWords(field)} <Code>{regex}</Code>
        </span>
        {directorName && (
          <span>
            to{" "}
            <TextLink to="/agents/$agentId" params={{ agentId: directorId }} size="sm">
              {directorName}
            </TextLink>
          </span>
        )}
        {accountId && <span>only {account ?? "an account that is gone"}</span>}
      </div>
    </div>
  );
}
