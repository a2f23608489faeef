import { Button, Checkbox, Group, Kbd, Menu, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { memo, type MouseEvent } from "react";

import { MoreMenu } from "@/components/MoreMenu";
import rows from "@/components/Rows.module.css";
import { StateMark } from "@/components/StateMark";
import { When } from "@/components/When";
import { Untrusted, Visible } from "@/features/gate/shared/Untrusted";
import { sizeInWords } from "@/features/mail/reader/words";

import { Confidence } from "./Confidence";
import { PaperIcon } from "./PaperIcon";
import styles from "./Papers.module.css";
import {
  canBeTried,
  folderName,
  isSuggested,
  type Paper,
  standingOf,
  type Suggested,
} from "./words";

export interface CardHandlers {
  onMove: (paper: Suggested) => void;
  onKeep: (paper: Suggested) => void;
  onChoose: (paper: Paper) => void;
  onTry: (paper: Paper) => void;
  /** With Shift, all between the last one and this one. */
  onSelect: (paper: Paper, isRange: boolean) => void;
}

interface Props extends CardHandlers {
  paper: Paper;
  isSelected: boolean;
  mayAnswer: boolean;
}

/** One paper: what it is, where it belongs and why; and the answer. */
export const PaperCard = memo(function PaperCard(props: Props) {
  const { paper, isSelected, mayAnswer, onSelect } = props;
  const { id, name, size, arrivedAt, mediaType, excerpt } = paper;
  const select = ({ nativeEvent: { shiftKey } }: MouseEvent) => onSelect(paper, shiftKey);
  return (
    <li
      className={styles.card}
      data-row
      data-paper={id}
      data-selected={isSelected || undefined}
      tabIndex={-1}
    >
      <div className={styles.head}>
        {isSuggested(paper) && mayAnswer && (
          <Checkbox
            size="sm"
            aria-label={`Select ${name}`}
            checked={isSelected}
            onClick={select}
            readOnly
          />
        )}
        <PaperIcon mediaType={mediaType} />
        <Title order={2} className={styles.name} dir="auto">
          <Visible>{name}</Visible>
        </Title>
        {paper.runId && <More paper={paper} runId={paper.runId} />}
      </div>
      <div className={rows.meta}>
        <span>{sizeInWords(size)}</span>
        <span>
          <When at={arrivedAt} prefix="arrived" />
        </span>
        {!isSuggested(paper) && <Standing paper={paper} />}
      </div>
      {isSuggested(paper) ? <Proposed paper={paper} /> : <Why paper={paper} />}
      {excerpt?.trim() && (
        <div className={styles.excerpt} role="group" aria-label={`How ${name} begins`}>
          <Untrusted most={240}>{excerpt.trim().replace(/\s+/g, " ")}</Untrusted>
        </div>
      )}
      {mayAnswer && <Buttons {...props} />}
    </li>
  );
});

function Standing({ paper }: { paper: Paper }) {
  const { state, words } = standingOf(paper);
  return <StateMark state={state}>{words}</StateMark>;
}

function Proposed({ paper: { suggestion } }: { paper: Suggested }) {
  return (
    <dl className={styles.facts}>
      <dt>Belongs in</dt>
      <dd className={styles.target}>
        <strong dir="auto">
          <Visible>{folderName(suggestion.target_folder)}</Visible>
        </strong>
        <Confidence suggestion={suggestion} />
      </dd>
      <dt>Why</dt>
      <dd>
        <Untrusted most={300}>{suggestion.reasoning || "It does not say."}</Untrusted>
      </dd>
    </dl>
  );
}

function Why({ paper: { problem, copyOf } }: { paper: Paper }) {
  if (copyOf) {
    return (
      <Text size="sm" c="dimmed">
        The same as <Visible>{copyOf}</Visible>, which was looked at.
      </Text>
    );
  }
  if (!problem) return null;
  return (
    <Text size="sm" component="div">
      <Untrusted most={300}>{problem}</Untrusted>
    </Text>
  );
}

function Buttons({ paper, onMove, onKeep, onChoose, onTry }: Props) {
  const { name } = paper;
  return (
    <Group gap="xs" mt="xs">
      {isSuggested(paper) && (
        <>
          <Button
            size="xs"
            data-first
            aria-label={`Move ${name} to ${folderName(paper.suggestion.target_folder)}`}
            rightSection={<Hint>a</Hint>}
            onClick={() => onMove(paper)}
          >
            Move
          </Button>
          <Button
            size="xs"
            variant="default"
            aria-label={`Keep ${name} in the inbox`}
            rightSection={<Hint>d</Hint>}
            onClick={() => onKeep(paper)}
          >
            Keep
          </Button>
        </>
      )}
      {canBeTried(paper) && (
        <Button
          size="xs"
          variant="default"
          data-first
          aria-label={`${paper.state === "new" ? "Look at" : "Try again:"} ${name}`}
          onClick={() => onTry(paper)}
        >
          {paper.state === "new" ? "Look at it" : "Try again"}
        </Button>
      )}
      <Button
        size="xs"
        variant="subtle"
        px="xs"
        aria-label={`Choose a folder for ${name}`}
        onClick={() => onChoose(paper)}
      >
        Choose folder…
      </Button>
    </Group>
  );
}

function More({ paper: { name }, runId }: { paper: Paper; runId: string }) {
  return (
    <MoreMenu label={`More for ${name}`}>
      <Menu.Item component={Link} to={`/runs/${runId}`}>
        What the organiser did
      </Menu.Item>
    </MoreMenu>
  );
}

function Hint({ children }: { children: string }) {
  return (
    <Kbd size="xs" visibleFrom="sm" aria-hidden>
      {children}
    </Kbd>
  );
}
