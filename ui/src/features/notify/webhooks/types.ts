import type { Schemas } from "@/api/client";

type EventType = Schemas["EventTypeOut"];

/** The types by what they are about: the word before the dot. */
export function byNoun(types: EventType[]): [noun: string, types: EventType[]][] {
  const nouns = new Map<string, EventType[]>();
  for (const one of types) {
    const noun = one.type.split(".")[0] ?? one.type;
    nouns.set(noun, [...(nouns.get(noun) ?? []), one]);
  }
  return [...nouns];
}

/** With a type, or without it. All of a noun replaces its single types. */
export function toggled(chosen: string[], type: string): string[] {
  const others = chosen.filter((one) => one !== "*" && one !== type);
  if (chosen.includes(type)) return others;
  const noun = type.endsWith(".*") ? type.slice(0, -1) : null;
  return [...others.filter((one) => !noun || !one.startsWith(noun)), type];
}

export const capitalised = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
