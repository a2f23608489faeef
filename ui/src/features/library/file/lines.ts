/** How the lines of a text end; a field of a page knows but one way. */
export type LineEnds = "\n" | "\r\n" | "mixed";

export function endsOf(text: string): LineEnds {
  const all = text.match(/\r\n|\r|\n/g) ?? [];
  const windows = all.filter((end) => end === "\r\n").length;
  if (windows === 0 && all.every((end) => end === "\n")) return "\n";
  return windows === all.length ? "\r\n" : "mixed";
}

/** A text as a field of a page has it. */
export const inField = (text: string) => text.replace(/\r\n?/g, "\n");

/** What was typed, with the ends that the file's lines have. */
export const asFile = (text: string, ends: LineEnds) =>
  ends === "\r\n" ? inField(text).replace(/\n/g, "\r\n") : inField(text);
