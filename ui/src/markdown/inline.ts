/** A piece of a line. Links have been looked at: they lead to the web, and nowhere else. */
export type Inline =
  | { kind: "text" | "code"; text: string }
  | { kind: "strong" | "em"; parts: Inline[] }
  | { kind: "link"; href: string; parts: Inline[] };

// Every repetition has a bound, so that no text, however odd, takes long.
const CODE = "`(?<code>[^`\\n]{1,2000})`";
const STRONG = "\\*\\*(?<strong>(?=\\S)[^\\n]{0,2000}?[^\\s*])\\*\\*";
const WORD = "[\\p{L}\\p{N}*_]";
const EM = `(?<!${WORD})(?:\\*(?<star>[^\\s*][^*\\n]{0,500})\\*|_(?<line>[^\\s_][^_\\n]{0,500})_)(?!${WORD})`;
const LINK = "!?\\[(?<label>[^\\]\\n]{1,400})\\]\\((?<href>[^\\s()]{1,2000})\\)";
const BARE = "(?<bare>https?://[^\\s<>()\\[\\]\"'`]{1,2000})";
const PIECES = new RegExp([CODE, STRONG, EM, LINK, BARE].join("|"), "gu");
const DEEPEST = 4;

/** A line's text in pieces. What is not understood stays as it was written. */
export function inline(text: string, depth = 0): Inline[] {
  if (depth >= DEEPEST) return [{ kind: "text", text }];
  const parts: Inline[] = [];
  let end = 0;
  for (const found of text.matchAll(PIECES)) {
    const part = partOf(found.groups ?? {}, found[0], depth);
    if (!part) continue;
    if (found.index > end) parts.push({ kind: "text", text: text.slice(end, found.index) });
    parts.push(...part);
    end = found.index + found[0].length;
  }
  if (end < text.length) parts.push({ kind: "text", text: text.slice(end) });
  return parts;
}

type Groups = Record<string, string | undefined>;

function partOf(groups: Groups, whole: string, depth: number): Inline[] | null {
  const { code, strong, star, line, label, href, bare } = groups;
  if (code !== undefined) return [{ kind: "code", text: code }];
  if (strong !== undefined) return [{ kind: "strong", parts: inline(strong, depth + 1) }];
  const em = star ?? line;
  if (em !== undefined) return [{ kind: "em", parts: inline(em, depth + 1) }];
  if (bare !== undefined) return bareLink(bare);
  const target = webAddress(href ?? "");
  if (target === null) return [{ kind: "text", text: whole }];
  // A picture is not loaded: asking for it would already tell something.
  return [{ kind: "link", href: target, parts: [{ kind: "text", text: label ?? "" }] }];
}

/** The full stop after an address is not part of it. */
function bareLink(text: string): Inline[] | null {
  const address = text.replace(/[.,;:!?*_]+$/, "");
  const href = webAddress(address);
  if (href === null) return null;
  const link: Inline = { kind: "link", href, parts: [{ kind: "text", text: address }] };
  const rest = text.slice(address.length);
  return rest ? [link, { kind: "text", text: rest }] : [link];
}

/** The address if it leads to the web; null for `javascript:` and anything else. */
export function webAddress(text: string): string | null {
  if (!/^https?:\/\//i.test(text)) return null;
  return URL.canParse(text) ? new URL(text).href : null;
}
