/**
 * Characters that one does not see, but that change what one reads: direction overrides, zero-width ones, tags,
 * control codes. A line break and a tab are seen.
 */
const UNSEEN =
  "[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f" +
  "\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u2800\\u3164\\ufe00-\\ufe0e\\ufeff\\uffa0\\ufff0-\\ufffb" +
  "\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}]";
// Where these belong, in the middle of a picture or of a word of some scripts, they hide nothing.
const JOINED =
  "\\p{Extended_Pictographic}\\ufe0f\\p{Script=Arabic}\\p{Script=Devanagari}\\p{Script=Bengali}\\p{Script=Malayalam}";
const JOINERS = `(?<![${JOINED}])[\\u200c\\u200d]|[\\u200c\\u200d](?![${JOINED}])`;
const VARIANT = "(?<!\\p{Extended_Pictographic})\\ufe0f";
// eslint-disable-next-line no-misleading-character-class -- each of them is meant by itself
const HIDDEN = new RegExp(`${UNSEEN}|${JOINERS}|${VARIANT}`, "gu");

const NAMES: Record<string, string> = {
  "00ad": "soft hyphen",
  "200b": "zero-width space",
  "200c": "zero-width non-joiner",
  "200d": "zero-width joiner",
  "200e": "left-to-right mark",
  "200f": "right-to-left mark",
  "202a": "left-to-right embedding",
  "202b": "right-to-left embedding",
  "202c": "end of a change of direction",
  "202d": "left-to-right override",
  "202e": "right-to-left override",
  "2060": "word joiner",
  "2066": "left-to-right isolate",
  "2067": "right-to-left isolate",
  "2068": "isolate",
  "2069": "end of an isolate",
  feff: "zero-width no-break space",
};

export interface Hidden {
  /** "U+202E". */
  code: string;
  name: string;
}

/** Text cut at its hidden characters, which become something to show. */
export function visibleParts(text: string): (string | Hidden)[] {
  const lines = text.replaceAll("\r\n", "\n");
  const parts: (string | Hidden)[] = [];
  let end = 0;
  for (const { 0: found, index } of lines.matchAll(HIDDEN)) {
    if (index > end) parts.push(lines.slice(end, index));
    parts.push(named(found));
    end = index + found.length;
  }
  const rest = lines.slice(end);
  return rest || parts.length === 0 ? [...parts, rest] : parts;
}

/** "U+202E (right-to-left override)" for each that hides in a text, once. */
export function hiddenIn(text: string): string[] {
  const found = visibleParts(text).filter((part) => typeof part !== "string");
  return [...new Set(found.map(({ code, name }) => `${code} (${name})`))];
}

function named(character: string): Hidden {
  const hex = (character.codePointAt(0) ?? 0).toString(16).padStart(4, "0");
  return { code: `U+${hex.toUpperCase()}`, name: NAMES[hex] ?? "hidden character" };
}
