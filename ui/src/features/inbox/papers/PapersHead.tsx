import { Button, Checkbox, Progress, Text } from "@mantine/core";

import styles from "./Papers.module.css";
import { isSuggested, type Paper, papersInWords } from "./words";

interface Props {
  papers: Paper[];
  selected: number;
  /** How many could be. */
  selectable: number;
  mayAnswer: boolean;
  onAll: () => void;
  onMove: () => void;
  onKeep: () => void;
  onClear: () => void;
}

/** What waits in all, how far the organiser has come, and what is done with many at once. */
export function PapersHead(props: Props) {
  const { papers, selected, selectable, mayAnswer, onAll, onMove, onKeep, onClear } = props;
  return (
    <div className={styles.toolbar} data-on={selected > 0 || undefined}>
      {mayAnswer && selectable > 0 && (
        <Checkbox
          size="sm"
          aria-label="Select all"
          checked={selected > 0 && selected === selectable}
          indeterminate={selected > 0 && selected < selectable}
          onChange={onAll}
        />
      )}
      <Text size="sm" role="status" flex="1 1 140px">
        {selected > 0 ? `${papersInWords(selected)} selected` : countInWords(papers)}
      </Text>
      {selected > 0 && (
        <>
          <Button size="compact-sm" onClick={onMove}>
            Move the selected
          </Button>
          <Button size="compact-sm" variant="default" onClick={onKeep}>
            Keep the selected
          </Button>
          <Button size="compact-sm" variant="subtle" color="gray" onClick={onClear}>
            Clear
          </Button>
        </>
      )}
      <AtWork papers={papers} />
    </div>
  );
}

function countInWords(papers: Paper[]): string {
  const suggested = papers.filter(isSuggested).length;
  const waits = suggested > 0 ? `, ${suggested.toLocaleString("en")} with a suggestion` : "";
  return `${papersInWords(papers.length)} in the inbox${waits}`;
}

function AtWork({ papers }: { papers: Paper[] }) {
  const left = papers.filter(({ state }) => state === "running" || state === "waiting").length;
  if (left === 0) return null;
  const done = papers.length - left;
  return (
    <div className={styles.progress}>
      <Text size="xs" c="dimmed">
        The organiser looks at {papersInWords(left)}; {done.toLocaleString("en")} done
      </Text>
      <Progress
        size="sm"
        value={(100 * done) / papers.length}
        aria-label="How far the organiser has come"
      />
    </div>
  );
}
