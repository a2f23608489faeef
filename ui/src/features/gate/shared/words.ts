import type { Schemas } from "@/api/client";

type Effect = Schemas["ApprovalOut"]["effect"];
type Label = Schemas["ActionOut"]["label"];
type Kind = Schemas["ApprovalOut"]["caller"]["kind"];

/** What a tool does to the world. */
export const EFFECTS: Record<Effect, string> = {
  read: "reads",
  create: "makes something new",
  edit: "changes something",
  move: "moves something",
  label: "marks something",
  complete: "completes something",
  send: "sends something out",
  share: "shares something",
  invite: "invites someone",
  fetch: "fetches from outside",
  delete: "deletes something",
  execute: "runs a program",
};

/** Whose words something is. */
export const LABELS: Record<Label, string> = {
  owner: "your own words",
  contact: "someone you know",
  stranger: "a stranger's words",
  web: "from the web",
};

export const isUntrusted = (label: Label) => label === "stranger" || label === "web";

export const KINDS: Record<Kind, string> = {
  user: "person",
  agent: "agent",
  client: "outside program",
};

/** "Task id" for `task_id`. */
export function fieldName(name: string): string {
  const words = name
    .replaceAll(/[_-]+/g, " ")
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .trim();
  return words ? words.charAt(0).toUpperCase() + words.slice(1).toLowerCase() : name;
}
