import type { Schemas } from "@/api/client";

export type Client = Schemas["ClientOut"];
export type Scope = Schemas["ScopeWire"];
export type Flag = "read" | "create" | "write" | "delete" | "integrations" | "execute";

/** What a client may be let to do, as sentences. */
export const FLAGS: { value: Flag; label: string; description: string; verb: string }[] = [
  {
    value: "read",
    label: "It may read",
    description: "List, open and search what it reaches",
    verb: "read",
  },
  {
    value: "create",
    label: "It may make new things",
    description: "Files, tasks and memories",
    verb: "make new things",
  },
  {
    value: "write",
    label: "It may change what is there",
    description: "Edit, move, label and complete",
    verb: "change things",
  },
  {
    value: "delete",
    label: "It may delete",
    description: "Out of the box a person is asked each time",
    verb: "delete",
  },
  {
    value: "integrations",
    label: "It may act on outside accounts",
    description: "Together with changing: send, share and invite",
    verb: "act on outside accounts",
  },
  {
    value: "execute",
    label: "It may run code",
    description: "Out of the box a person is asked each time",
    verb: "run code",
  },
];

const and = new Intl.ListFormat("en", { type: "conjunction" });

/** "May read and make new things, in Files and Papers". */
export function scopeInWords(scope: Scope): string {
  const verbs = FLAGS.filter(({ value }) => scope[value]).map(({ verb }) => verb);
  if (verbs.length === 0) return "may do nothing";
  return `may ${and.format(verbs)}, ${placesInWords(scope)}`;
}

/** "in all folders", "in Papers, only .txt, with only list_* tools". */
export function placesInWords({ notebooks = [], folders, fileTypes, tools }: Scope): string {
  const where = notebooks.includes("*")
    ? "in all folders"
    : notebooks.length > 0
      ? `in ${and.format(notebooks)}`
      : "in no folder";
  const bounds = [
    only(folders, ["**", "*"], (list) => `only beneath ${list}`),
    only(fileTypes, ["*"], (list) => `only ${list} files`),
    only(tools, ["*"], (list) => `only with ${list}`),
  ];
  return [where, ...bounds.filter(Boolean)].join(", ");
}

function only(given: string[] | undefined, all: string[], say: (list: string) => string) {
  if (!given || given.some((pattern) => all.includes(pattern))) return null;
  return given.length > 0 ? say(and.format(given)) : say("none of the");
}

const number = new Intl.NumberFormat("en");

/** "1,000 calls an hour"; nothing where there is no bound. */
export function limitsInWords(limits: Schemas["LimitsWire"]): string[] {
  const { requestsPerHour, tokensPerRequest, tokensPerDay, moneyPerDay } = limits;
  return [
    requestsPerHour && `${number.format(requestsPerHour)} calls an hour`,
    tokensPerRequest && `${number.format(tokensPerRequest)} tokens a call`,
    tokensPerDay && `${number.format(tokensPerDay)} tokens a day`,
    moneyPerDay && `${number.format(moneyPerDay)} of money a day`,
  ].filter((bound) => typeof bound === "string");
}

export const isExpired = ({ expiresAt }: Client) =>
  expiresAt !== null && new Date(expiresAt) < new Date();
