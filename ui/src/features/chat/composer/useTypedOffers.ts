import { type RefObject, useLayoutEffect, useRef, useState } from "react";

import type { Choice } from "./Offers";
import { matchingNames, mentionAt, mentioned } from "./mentions";
import { type CommandName, commandsFor } from "./slash";

export interface Agent {
  id: string;
  name: string;
}

interface Options {
  text: string;
  box: RefObject<HTMLTextAreaElement | null>;
  agents: Agent[];
  keep: (text: string, event: Event) => void;
  /** Does what a command says; undefined where there are none. */
  run: ((name: CommandName) => void) | undefined;
}

const MOST = 8;

/** What may be meant: a command at the beginning, or an agent's name after an `@`. */
export function useTypedOffers({ text, box, agents, keep, run }: Options) {
  const [caret, setCaret] = useState(0);
  const goesTo = useRef<number | null>(null);
  const put = (next: string, place: number) => {
    goesTo.current = place;
    keep(next, new Event("input"));
  };
  // Before the next key: whoever types on at once types behind the name.
  useLayoutEffect(() => {
    const place = goesTo.current;
    if (place !== null) box.current?.setSelectionRange(place, place);
    goesTo.current = null;
  }, [text, box]);
  const commands: Choice[] = (run ? commandsFor(text) : []).map((command) => ({
    id: command.name,
    label: `/${command.name}`,
    detail: command.does,
    choose: () =>
      "takes" in command ? put(`/${command.name} `, command.name.length + 2) : run?.(command.name),
  }));
  const called = commands.length > 0 ? null : mentionAt(text, Math.min(caret, text.length));
  const isWhole = agents.some(({ name }) => name.toLowerCase() === called?.trim().toLowerCase());
  const named: Choice[] =
    called === null || isWhole
      ? []
      : matchingNames(agents, called)
          .slice(0, MOST)
          .map(({ id, name }) => ({
            id,
            label: name,
            choose: () => put(...mentioned(text, caret, name)),
          }));
  return {
    choices: [...commands, ...named],
    look: () => setCaret(box.current?.selectionStart ?? 0),
  };
}
