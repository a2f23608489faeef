import { common, createLowlight } from "lowlight";

/** A piece of code with what it is, as its colour is chosen by it. */
export interface Piece {
  text: string;
  kind: string;
}

interface Node {
  type: string;
  value?: string;
  properties?: { className?: unknown };
  children?: Node[];
}

const lowlight = createLowlight(common);

/** The pieces of a code block; all of it as one where the language is not known. */
export function highlighted(text: string, language: string): Piece[] {
  if (!lowlight.registered(language)) return [{ text, kind: "" }];
  return pieces(lowlight.highlight(language, text), "");
}

function pieces(node: Node, kind: string): Piece[] {
  if (node.type === "text") return [{ text: node.value ?? "", kind }];
  const names = node.properties?.className;
  const own = Array.isArray(names) ? String(names[0]).replace(/^hljs-/, "") : kind;
  return (node.children ?? []).flatMap((child) => pieces(child, own));
}
