import type { Written } from "./pasted";

interface Named {
  id: string;
  name: string;
}

/** The part of a name that is being typed before the caret, after its `@`; null where there is none. */
export function mentionAt(text: string, caret: number): string | null {
  return /(?:^|\s)@([^\s@][^\n@]{0,40}|)$/.exec(text.slice(0, caret))?.[1] ?? null;
}

/** The text with the name that was chosen in place of what was typed of it, and where the caret goes. */
export function mentioned(
  text: string,
  caret: number,
  name: string,
): [text: string, caret: number] {
  const typed = mentionAt(text, caret) ?? "";
  const before = `${text.slice(0, caret - typed.length)}${name} `;
  return [before + text.slice(caret).trimStart(), before.length];
}

/** Those whose name begins so, or has a word that does. */
export function matchingNames<T extends Named>(known: T[], typed: string): T[] {
  const wanted = typed.toLowerCase();
  return known.filter(({ name }) =>
    [name, ...name.split(/\s+/)].some((part) => part.toLowerCase().startsWith(wanted)),
  );
}

/** The agent that is called by name. What was pasted calls nobody. */
export function calledIn<T extends Named>({ text, pasted }: Written, known: T[]): T | null {
  const found = known
    .map((agent) => ({ agent, at: placeOf(text, agent.name) }))
    .filter(({ at }) => at >= 0 && !pasted.some(([from, to]) => at >= from && at < to));
  // "@Anna Lee" is not Anna.
  found.sort((one, other) => one.at - other.at || other.agent.name.length - one.agent.name.length);
  return found[0]?.agent ?? null;
}

function placeOf(text: string, name: string): number {
  const wanted = `@${name.toLowerCase()}`;
  const low = text.toLowerCase();
  for (let at = low.indexOf(wanted); at >= 0; at = low.indexOf(wanted, at + 1)) {
    const [before, after] = [low[at - 1] ?? " ", low[at + wanted.length] ?? " "];
    if (/\s/.test(before) && !/[\p{L}\p{N}]/u.test(after)) return at;
  }
  return -1;
}
