import type { Schemas } from "@/api/client";
import type { Shape } from "@/features/cases/words";

import type { FileText } from "../browser/browsed";

/** A document without the properties at its top, which have a page of their own. */
export function bodyOf({ content, properties }: FileText, shape: Shape): string {
  const text = content ?? "";
  if (shape !== "markdown" || !properties) return text;
  return text.replace(/^---[ \t]*\r?\n[^]*?^(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/m, "");
}

type Details = Pick<Schemas["FileDetailsOut"], "state" | "problem">;

/** Whether a file's text is known to the search, in words. */
export function stateInWords({ state, problem }: Details): string {
  if (state === "waiting") return "Its text is still being read.";
  if (problem) return `No text: ${problem}`;
  return state === "ready" ? "No text was found in it." : "No text could be read in it.";
}

const EXTRACTED: Record<string, string> = {
  ocr: "Text seen in the picture",
  listing: "What is in the archive",
  speech: "What is said in it",
};

/** What a text is that was read in a file, by what read it. */
export const extractedIn = (by: string) => EXTRACTED[by] ?? "Text found in it";

/** What stands in a field for a property, as it would be written in YAML or JSON. */
export function valueInField(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** What a field's text means: a number, yes or no, a list; else the words themselves. */
export function valueOf(text: string): unknown {
  const trimmed = text.trim();
  if (/^(true|false|null|-?\d+(\.\d+)?|[[{].*[\]}])$/s.test(trimmed)) {
    try {
      return JSON.parse(trimmed) as unknown;
    } catch {
      return text;
    }
  }
  return text;
}

/** The tags that a file's properties name, as the index has them. */
export function writtenTags(properties: FileText["properties"]): Set<string> {
  const said: unknown = properties?.tags ?? properties?.tag ?? [];
  const line = typeof said === "string" ? said.split(said.includes(",") ? "," : /\s+/) : [];
  const each: unknown[] = Array.isArray(said) ? said : line;
  return new Set(each.map((tag) => String(tag).trim().replace(/^#/, "").toLowerCase()));
}
