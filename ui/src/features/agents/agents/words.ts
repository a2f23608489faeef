import type { Schemas } from "@/api/client";

import { fitsTool } from "./globs";
import type { AgentValues, Bound } from "./values";

export type Tool = Schemas["ToolOut"];
export type Flag =
  "canRead" | "canCreate" | "canWrite" | "canDelete" | "canAccessIntegrations" | "canExecuteCode";

export const KINDS: Record<AgentValues["kind"], { label: string; about: string }> = {
  assistant: { label: "Assistant", about: "Talks with people and does what they ask" },
  specialist: { label: "Specialist", about: "Does one thing well; other agents ask it too" },
  director: { label: "Director", about: "Takes a task apart and hands the parts to other agents" },
  organiser: { label: "Organiser", about: "Keeps files and lists in order" },
};

/** What an agent may be let to do, as sentences. */
export const FLAGS: { value: Flag; label: string; description: string; verb: string }[] = [
  {
    value: "canRead",
    label: "It may read",
    description: "List, open and search what it reaches",
    verb: "read",
  },
  {
    value: "canCreate",
    label: "It may make new things",
    description: "Files, tasks and memories. Each can be undone",
    verb: "make new things",
  },
  {
    value: "canWrite",
    label: "It may change what is there",
    description: "Edit, move, label and complete. Out of the box, moving and completing ask you",
    verb: "change things",
  },
  {
    value: "canDelete",
    label: "It may delete",
    description: "Out of the box a person is asked each time",
    verb: "delete",
  },
  {
    value: "canAccessIntegrations",
    label: "It may act on outside accounts",
    description: "Together with changing: send, share and invite. A person is asked each time",
    verb: "act on outside accounts",
  },
  {
    value: "canExecuteCode",
    label: "It may run code",
    description: "Out of the box a person is asked each time",
    verb: "run code",
  },
];

/** The flags that each effect needs, as the gate asks for them. */
const NEEDED: Record<Tool["effect"], Flag[]> = {
  read: ["canRead"],
  create: ["canCreate"],
  edit: ["canWrite"],
  move: ["canWrite"],
  label: ["canWrite"],
  complete: ["canWrite"],
  send: ["canWrite", "canAccessIntegrations"],
  share: ["canWrite", "canAccessIntegrations"],
  invite: ["canWrite", "canAccessIntegrations"],
  fetch: ["canWrite", "canAccessIntegrations"],
  delete: ["canDelete"],
  execute: ["canExecuteCode"],
};

const LOCAL = "local";

/** The flags that a tool needs and the agent lacks. */
export function missing({ effect, connector }: Tool, flags: Flag[]): Flag[] {
  const outside: Flag[] = connector === LOCAL ? [] : ["canAccessIntegrations"];
  return [...new Set([...NEEDED[effect], ...outside])].filter((flag) => !flags.includes(flag));
}

export const isOpen = (tool: Tool, { flags, tools }: Pick<AgentValues, "flags" | "tools">) =>
  fitsTool(tools, tool.name) && missing(tool, flags).length === 0;

const and = new Intl.ListFormat("en", { type: "conjunction" });
const or = new Intl.ListFormat("en", { type: "disjunction" });
const number = new Intl.NumberFormat("en");

export const verbs = (flags: Flag[]) =>
  FLAGS.filter(({ value }) => flags.includes(value)).map(({ verb }) => verb);

export const inWords = (items: string[]) => and.format(items);

type Places = Pick<AgentValues, "notebooks" | "folders" | "fileTypes">;

/** "in Papers, only beneath Invoices, only .md files". */
export function placesInWords({ notebooks, folders, fileTypes }: Places): string {
  if (notebooks.length === 0) return "in no folder";
  const where = notebooks.includes("*") ? "in all folders" : `in ${and.format(notebooks)}`;
  const within = folders.includes("**")
    ? null
    : folders.length > 0
      ? `only beneath ${and.format(folders.map((folder) => folder.replace(/\/\*\*$/, "")))}`
      : "but in none of their folders";
  const kinds = fileTypes.includes("*")
    ? null
    : fileTypes.length > 0
      ? `only ${and.format(fileTypes.map(ending))} files`
      : "but no files";
  return [where, within, kinds].filter(Boolean).join(", ");
}

export const ending = (pattern: string) => pattern.replace(/^\*?\.?/, ".");

/** "May read and make new things, in Papers". */
export function scopeInWords(values: Places & { flags: Flag[] }): string {
  const may = verbs(values.flags);
  return may.length > 0
    ? `may ${and.format(may)}, ${placesInWords(values)}`
    : "may do nothing but talk";
}

export function mayNotInWords(flags: Flag[]): string | null {
  const not = FLAGS.filter(({ value }) => !flags.includes(value)).map(({ verb }) => verb);
  return not.length > 0 ? or.format(not) : null;
}

const said = (value: Bound, say: (figure: string) => string) =>
  value === "" ? null : say(number.format(Number(value)));

/** "20 steps at most, $2 a day"; nothing where there is no bound. */
export function limitsInWords(values: AgentValues): string[] {
  return [
    said(values.stepLimit, (n) => `${n} steps a run`),
    said(values.timeoutSeconds, () => `${duration(Number(values.timeoutSeconds))} at a stretch`),
    said(values.maxRequestsPerHour, (n) => `${n} calls an hour`),
    said(values.maxTokensPerRequest, (n) => `${n} tokens an answer`),
    said(values.tokensPerRun, (n) => `${n} tokens a run`),
    said(values.moneyPerRun, (n) => `$${n} a run`),
    said(values.tokensPerDay, (n) => `${n} tokens a day`),
    said(values.moneyPerDay, (n) => `$${n} a day`),
  ].filter((bound) => bound !== null);
}

/** "10 minutes" for 600 seconds. */
export function duration(seconds: number): string {
  const [size, unit] =
    seconds % 3600 === 0 ? [3600, "hour"] : seconds % 60 === 0 ? [60, "minute"] : [1, "second"];
  const count = seconds / size;
  return `${number.format(count)} ${unit}${count === 1 ? "" : "s"}`;
}
