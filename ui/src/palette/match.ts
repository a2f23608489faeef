import type { Command } from "./command";

/** How well a command fits: every typed word begins a word of it. Lower is better; none does not fit. */
function rank({ label, words, detail, group }: Command, typed: string[]): number | null {
  const name = wordsOf(label);
  const others = wordsOf([words, detail, group].join(" "));
  let total = 0;
  for (const part of typed) {
    const begins = (word: string) => word.startsWith(part);
    if (name[0]?.startsWith(part)) total += 0;
    else if (name.some(begins)) total += 1;
    else if (others.some(begins)) total += 2;
    else if (label.toLowerCase().includes(part)) total += 3;
    else return null;
  }
  return total;
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[\s\-/.]+/)
    .filter(Boolean);
}

/** The commands that fit, best first; as they come while nothing is typed. */
export function matching(commands: Command[], text: string): Command[] {
  const typed = wordsOf(text);
  const ranked = commands.map((command) => ({ command, rank: rank(command, typed) }));
  return ranked
    .filter((one): one is { command: Command; rank: number } => one.rank !== null)
    .sort((one, other) => one.rank - other.rank)
    .map(({ command }) => command);
}

/** In groups: the group with the best command first. */
export function inGroups(commands: Command[]): [group: string, commands: Command[]][] {
  const groups = new Map<string, Command[]>();
  for (const one of commands) groups.set(one.group, [...(groups.get(one.group) ?? []), one]);
  return [...groups];
}
