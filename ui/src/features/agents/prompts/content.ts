import type { Schemas } from "@/api/client";

export type Kind = "prompt" | "template";
export type Role = Schemas["PromptMessageIn"]["role"];
export type Saved = Schemas["PromptOut"] | Schemas["TemplateOut"];

/** One message in the editor; its key stays its own while it is moved about. */
export interface Block {
  key: string;
  role: Role;
  content: string;
}

export interface Content {
  workspaceId: string;
  name: string;
  description: string;
  messages: Block[];
  imprint: Block[];
}

/** What an edit began from. */
export interface Base {
  revision: number;
  content: Content;
}

export interface Draft extends Content {
  base: Base;
}

export const ROLES: { value: Role; label: string }[] = [
  { value: "system", label: "System" },
  { value: "user", label: "User" },
  { value: "assistant", label: "Assistant" },
  { value: "tool", label: "Tool result" },
];

export const roleName = (role: Role) => ROLES.find(({ value }) => value === role)?.label ?? role;

let made = 0;

export function newBlock(role: Role, content = ""): Block {
  made += 1;
  return { key: `new-${made}`, role, content };
}

/** Whoever spoke last, the other goes on. */
export const nextRole = (blocks: Block[]): Role => {
  const last = blocks.at(-1)?.role;
  if (last === undefined) return "system";
  return last === "user" ? "assistant" : "user";
};

const blocks = (messages: Schemas["PromptMessageOut"][]): Block[] =>
  messages.map(({ role, content }, place) => ({ key: `saved-${place}`, role, content }));

export function baseOf(saved: Saved): Base {
  const { name, description, workspaceId, revision } = saved;
  const content = {
    workspaceId: workspaceId ?? "",
    name,
    description,
    messages: blocks(saved.messages),
    imprint: blocks(saved.imprint),
  };
  return { revision, content };
}

/** A new prompt: empty, or as a template says. */
export function newBase(workspaceId: string, template?: Schemas["TemplateOut"]): Base {
  if (template) {
    const { content } = baseOf(template);
    return { revision: 0, content: { ...content, workspaceId } };
  }
  const messages: Block[] = [{ key: "first", role: "system", content: "" }];
  return {
    revision: 0,
    content: { workspaceId, name: "", description: "", messages, imprint: [] },
  };
}

export const plain = (blocks: Block[]) => blocks.map(({ role, content }) => ({ role, content }));

/** What is sent to be saved. */
export const written = ({ name, description, messages, imprint }: Content) => ({
  name: name.trim(),
  description: description.trim(),
  messages: plain(messages),
  imprint: plain(imprint),
});

export const isSame = (one: Content, other: Content) =>
  JSON.stringify([
    one.workspaceId,
    one.name,
    one.description,
    plain(one.messages),
    plain(one.imprint),
  ]) ===
  JSON.stringify([
    other.workspaceId,
    other.name,
    other.description,
    plain(other.messages),
    plain(other.imprint),
  ]);

/** A name that nothing in the list has yet. */
export function freeName(name: string, taken: string[]): string {
  const used = new Set(taken.map((one) => one.toLowerCase()));
  const candidates = [name, ...Array.from({ length: used.size + 1 }, (_, n) => numbered(name, n))];
  return candidates.find((one) => !used.has(one.toLowerCase())) ?? name;
}

const numbered = (name: string, n: number) =>
  `${name.slice(0, 85)} (copy${n === 0 ? "" : ` ${n + 1}`})`;
