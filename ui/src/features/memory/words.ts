import type { Schemas } from "@/api/client";

export type Memory = Schemas["MemoryOut"];
export type Reach = Memory["reach"];
export type Mode = "both" | "keyword" | "semantic";

/** Whose words a memory holds. */
export const LABELS: Record<Memory["label"], string> = {
  owner: "trusted words",
  contact: "from someone you know",
  stranger: "from a stranger's words",
  web: "from the web",
};

export const MODES: { value: Mode; label: string }[] = [
  { value: "both", label: "Words and meaning" },
  { value: "keyword", label: "Words alone" },
  { value: "semantic", label: "Meaning alone" },
];

export const REACHES: { value: Reach; label: string }[] = [
  { value: "local", label: "For one alone" },
  { value: "shared", label: "For you and your agents" },
  { value: "global", label: "For everyone here" },
];

/** The same, for what is one's own. */
export const FOR_WHOM: { value: Reach; label: string }[] = [
  { value: "local", label: "Only me" },
  { value: "shared", label: "Me and my agents" },
  { value: "global", label: "Everyone in this workspace" },
];

/** How a memory is moved there. */
export const MOVES: Record<Reach, { verb: string; done: string }> = {
  local: { verb: "Keep it for me alone", done: "It is for you alone now." },
  shared: { verb: "Share it with my agents", done: "You and your agents find it now." },
  global: { verb: "Let everyone here find it", done: "Everyone here finds it now." },
};

/** Who finds a memory; of a shared one the pair of director and agent, by their names. */
export function reachOf(memory: Memory, me: string, names: ReadonlyMap<string, string>): string {
  const { reach, ownerId, ownerName, directorId, agentId } = memory;
  const called = (id: string) => names.get(id) ?? "an agent that is gone";
  if (reach === "global") return "for everyone here";
  if (reach === "shared" && directorId) {
    const other = agentId && agentId !== directorId ? called(agentId) : "its agents";
    return `shared by ${called(directorId)} and ${other}`;
  }
  if (reach === "shared") return "for you and your agents";
  return ownerId === me ? "for you alone" : `for ${ownerName ?? "an agent"} alone`;
}

/** The beginning, to call it by. */
export function nameOf({ content }: Memory): string {
  const [line = ""] = content.trim().split("\n");
  return line.length > 60 ? `${[...line].slice(0, 59).join("")}…` : line;
}
