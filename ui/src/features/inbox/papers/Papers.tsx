import { Button } from "@mantine/core";
import { useCallback, useMemo, useRef, useState } from "react";

import { notify } from "@/components/notify";
import { Unfold } from "@/components/Unfold";

import { FolderChoice, type Moved } from "./FolderChoice";
import { type CardHandlers, PaperCard } from "./PaperCard";
import styles from "./Papers.module.css";
import { PapersHead } from "./PapersHead";
import { allOrNone, NONE, nextAfter, type Selection, stillThere, toggled, upTo } from "./selection";
import { type Answers, useAnswers } from "./useAnswers";
import { focusedPaper, focusPaperSoon, usePaperKeys } from "./usePaperKeys";
import { isSuggested, type Paper, papersInWords, type Suggested } from "./words";

const AT_ONCE = 60;

interface Props {
  papers: Paper[];
  mayAnswer: boolean;
  onTry: (papers: Paper[]) => void;
}

/** The papers of one inbox as cards, to be answered one by one or many at once. */
export function Papers({ papers, mayAnswer, onTry }: Props) {
  const answers = useAnswers();
  const [most, setMost] = useState(AT_ONCE);
  const there = papers.filter(({ id }) => !answers.leaving.has(id));
  const waiting = there.filter((paper) => !isKept(paper));
  const kept = there.filter(isKept);
  const shown = waiting.slice(0, most);
  const order = shown.filter(isSuggested).map(({ id }) => id);
  const { selected, setSelected, select } = useSelection(order);
  const [choice, setChoice] = useState<{ paper: Paper; opened: boolean }>();

  const resolve = (some: Suggested[], action: "accept" | "reject") => {
    if (!mayAnswer || some.length === 0) return;
    const gone = new Set(some.map(({ id }) => id));
    focusPaperSoon(
      nextAfter(
        shown.map(({ id }) => id),
        gone,
      ),
    );
    setSelected(new Set([...selected].filter((id) => !gone.has(id))));
    answers.resolve(some, action);
  };
  const suggested = (ids: Selection) => shown.filter(isSuggested).filter(({ id }) => ids.has(id));
  const here = () => suggested(selected.size > 0 ? selected : new Set([focusedPaper() ?? ""]));
  const focused = () => there.find(({ id }) => id === focusedPaper());
  const choose = (paper: Paper | undefined) =>
    paper && mayAnswer && setChoice({ paper, opened: true });
  usePaperKeys({
    a: () => resolve(here(), "accept"),
    d: () => resolve(here(), "reject"),
    f: () => choose(focused()),
    x: () => mayAnswer && select(focusedPaper(), false),
    X: () => mayAnswer && setSelected(allOrNone(selected, order)),
    Escape: () => setSelected(NONE),
  });
  const handlers = useHandlers({
    onMove: (paper) => resolve([paper], "accept"),
    onKeep: (paper) => resolve([paper], "reject"),
    onChoose: choose,
    onTry: (paper) => onTry([paper]),
    onSelect: (paper, isRange) => select(paper.id, isRange),
  });
  const cards = (some: Paper[], label: string) => (
    <ul className={styles.cards} role="list" aria-label={label}>
      {some.map((paper) => (
        <PaperCard
          key={paper.id}
          paper={paper}
          isSelected={selected.has(paper.id)}
          mayAnswer={mayAnswer}
          {...handlers}
        />
      ))}
    </ul>
  );
  return (
    <>
      <PapersHead
        papers={waiting}
        selected={selected.size}
        selectable={order.length}
        mayAnswer={mayAnswer}
        onAll={() => setSelected(allOrNone(selected, order))}
        onMove={() => resolve(suggested(selected), "accept")}
        onKeep={() => resolve(suggested(selected), "reject")}
        onClear={() => setSelected(NONE)}
      />
      {shown.length > 0 && cards(shown, "Papers in the inbox")}
      {waiting.length > shown.length && (
        <Button variant="default" size="xs" mt="sm" onClick={() => setMost(most + AT_ONCE)}>
          Show more of {papersInWords(waiting.length)}
        </Button>
      )}
      {kept.length > 0 && (
        <div className={styles.kept}>
          <Unfold label={`${papersInWords(kept.length)} that you kept here`}>
            {() => cards(kept, "Kept in the inbox")}
          </Unfold>
        </div>
      )}
      {choice && (
        <FolderChoice
          key={choice.paper.id}
          {...choice}
          onClose={() => setChoice({ ...choice, opened: false })}
          onMoved={(paper, moved) => tell(answers, paper, moved)}
        />
      )}
    </>
  );
}

/** A person has said that it stays. */
const isKept = ({ state, copyOf }: Paper) => state === "answered" && !copyOf;

function tell(answers: Answers, paper: Paper, { path, actionId, waits }: Moved) {
  if (waits) notify.done(`Moving “${paper.name}” waits for an answer.`);
  else if (path && isSuggested(paper)) answers.undoableMove(paper, path);
  else if (path && actionId) answers.undoableAction(paper, path, actionId);
}

/** What is selected of what is in the list; Shift goes on from the one before. */
function useSelection(order: string[]) {
  const [kept, setSelected] = useState<Selection>(NONE);
  const last = useRef<string>(undefined);
  const selected = stillThere(kept, order);
  const select = (id: string | undefined, isRange: boolean) => {
    if (!id || !order.includes(id)) return;
    const from = last.current;
    setSelected(isRange && from ? upTo(selected, order, from, id) : toggled(selected, id));
    last.current = id;
  };
  return { selected, setSelected, select };
}

/** The same handlers each time, so that a card is only drawn again when its paper changes. */
function useHandlers(now: CardHandlers): CardHandlers {
  const latest = useRef(now);
  latest.current = now;
  const call = useCallback(<K extends keyof CardHandlers>(name: K) => {
    return ((...given: Parameters<CardHandlers[K]>) =>
      (latest.current[name] as (...all: typeof given) => void)(...given)) as CardHandlers[K];
  }, []);
  return useMemo(
    () => ({
      onMove: call("onMove"),
      onKeep: call("onKeep"),
      onChoose: call("onChoose"),
      onTry: call("onTry"),
      onSelect: call("onSelect"),
    }),
    [call],
  );
}
