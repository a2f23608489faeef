import { formOf, type Kind, type Logic } from "./kinds";
import { asParts, isUnfinished, onOneLine, type Part } from "./parts";

const VERBS: Record<string, string> = {
  read: "read",
  create: "create something",
  edit: "edit",
  move: "move",
  label: "label",
  complete: "complete something",
  send: "send",
  share: "share",
  invite: "invite someone",
  fetch: "fetch from the web",
  delete: "delete",
  execute: "run code",
};

const or = new Intl.ListFormat("en", { type: "disjunction" });
const and = new Intl.ListFormat("en", { type: "conjunction" });

/** Each kind as a clause, plain and denied, about the values that were chosen. */
const CLAUSES: Record<Kind, [so: (values: string) => string, not: (values: string) => string]> = {
  tool: [(names) => `the tool is ${names}`, (names) => `the tool is not ${names}`],
  effect: [(verbs) => `it would ${verbs}`, (verbs) => `it would do anything but ${verbs}`],
  callerKind: [(kinds) => `the caller is ${kinds}`, (kinds) => `the caller is not ${kinds}`],
  caller: [
    (names) => `the caller is called ${names}`,
    (names) => `the caller is not called ${names}`,
  ],
  folder: [(names) => `the file is in ${names}`, (names) => `the file is not in ${names}`],
  suffix: [(ends) => `the file ends in ${ends}`, (ends) => `the file does not end in ${ends}`],
  tainted: [() => "it has read strangers' words", () => "it has read no stranger's words"],
  ungrounded: [
    () => "it goes to someone you did not name",
    () => "it goes only to people you named, or to nobody",
  ],
  hours: [(hours) => `it is between ${hours}`, (hours) => `it is not between ${hours}`],
  weekdays: [(days) => `it is ${days}`, (days) => `it is not ${days}`],
};

/** "When it would send or share, and it has read strangers' words"; null: say it as JSON. */
export function inWords(condition: Logic): string | null {
  const parts = asParts(condition);
  if (!parts) return null;
  if (parts.length === 0) return "Always";
  if (parts.some(isUnfinished)) return "Never, as long as something is left to choose";
  return `When ${parts.map(clause).join(", and ")}`;
}

/** The same in one line, with JSON for what has no words. */
export function inOneLine(condition: Logic): string {
  const words = inWords(condition);
  if (words) return words;
  const json = onOneLine(condition);
  return `When ${json.length > 160 ? `${json.slice(0, 160)}…` : json}`;
}

function clause({ kind, not, values }: Part): string {
  const say = CLAUSES[kind][not ? 1 : 0];
  if (kind === "hours") return say(and.format(values.map((hour) => `${hour}:00`)));
  const { choices } = formOf(kind);
  return say(or.format(values.map((value) => word(kind, value, choices))));
}

function word(kind: Kind, value: string, choices?: { value: string; label: string }[]): string {
  if (kind === "effect") return VERBS[value] ?? value;
  const label = choices?.find((one) => one.value === value)?.label;
  if (kind === "callerKind") return label ? label.charAt(0).toLowerCase() + label.slice(1) : value;
  return label ?? value;
}
