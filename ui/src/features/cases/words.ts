import type { Schemas } from "@/api/client";
import type { State } from "@/components/StateMark";

export type Case = Schemas["CaseOut"];
export type CaseState = Case["state"];
export type Item = Schemas["ItemOut"];
export type Version = Schemas["ItemVersionOut"];

/** How a case stands, as a person would say it. */
export const STATES: Record<CaseState, { state: State; words: string }> = {
  waiting: { state: "waiting", words: "Waiting for you" },
  failed: { state: "failed", words: "Failed" },
  working: { state: "retrying", words: "Working" },
  stopped: { state: "off", words: "Stopped" },
  done: { state: "ok", words: "Done" },
};

/** The most pressing first. */
export const CASE_STATES = Object.keys(STATES) as CaseState[];

/** How a mail stands: as the most pressing of its cases does. */
export const stateOf = (cases: Case[]): CaseState =>
  CASE_STATES.find((state) => cases.some((one) => one.state === state)) ?? "done";

export const subjectOf = ({ mail }: Case) => mail.subject || "No subject";

export const senderOf = ({ mail }: Case) => mail.senderName || mail.senderAddress || "Nobody";

/** How a content is shown. What nobody here knows is offered to be kept. */
export type Shape = "markdown" | "html" | "json" | "picture" | "csv" | "text" | "pdf" | "file";

const PICTURES = ["image/png", "image/jpeg", "image/gif", "image/webp"];
const SHAPES: Record<string, Shape> = {
  "text/markdown": "markdown",
  "text/html": "html",
  "application/json": "json",
  "text/csv": "csv",
  "application/pdf": "pdf",
};

type Typed = Pick<Item, "mimeType" | "encoding">;

export function shapeOf({ mimeType, encoding }: Typed): Shape {
  const mime = mimeType ?? "";
  const known = PICTURES.includes(mime) ? "picture" : SHAPES[mime];
  if (known === "picture" || known === "pdf") return known;
  // Bytes are looked at by the browser, or kept; what is text is here already.
  if (encoding !== "utf8") return known === "html" ? "html" : "file";
  if (known) return known;
  return mime.endsWith("+json") ? "json" : "text";
}

const NAMES: Record<Shape, string> = {
  markdown: "Text",
  html: "Page",
  json: "Data",
  picture: "Picture",
  csv: "Table",
  text: "Text",
  pdf: "PDF",
  file: "File",
};

export const shapeInWords = (item: Typed) => NAMES[shapeOf(item)];

/** What an item is called; without a label, what it is. */
export function titleOf(item: Typed & Pick<Item, "label" | "tags">): string {
  return item.label || [shapeInWords(item), item.tags[0]].filter(Boolean).join(", ");
}

/** Whether it can be copied, edited and sent as text. */
export const isText = ({ encoding }: Typed) => encoding === "utf8";

const AUTHORS: Record<Item["changedBy"], string> = {
  director: "the director",
  agent: "an agent",
  tool: "a tool",
  person: "a person",
};

/** Who made it, and who changed it since where that is another kind. */
export function authorInWords({ author, context, changedBy }: Item): string {
  const made = author.name || AUTHORS[context.createdBy];
  const by = context.tool && context.createdBy === "tool" ? `${made}, with ${context.tool}` : made;
  return changedBy === context.createdBy ? by : `${by}, changed by ${AUTHORS[changedBy]}`;
}
