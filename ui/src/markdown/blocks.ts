/** A part of a text: what Markdown means by its lines. There is no HTML in it. */
export type Block =
  | { kind: "paragraph" | "heading"; text: string }
  | { kind: "code"; text: string; language: string }
  | { kind: "quote"; blocks: Block[] }
  | { kind: "list"; ordered: boolean; start: number; items: Block[][] }
  | { kind: "table"; head: string[]; rows: string[][] }
  | { kind: "rule" };

const FENCE = /^ {0,3}(`{3,}|~{3,})\s*([\w+-]{0,20})[^`]*$/;
const ITEM = /^( {0,12})(?:[-*+]|(\d{1,9})[.)])(?: {1,4}(.*)|)$/;
const HEADING = /^ {0,3}#{1,6}\s+(.*)$/;
const RULE = /^ {0,3}(?:-{3,}|\*{3,}|_{3,})\s*$/;
const QUOTE = /^ {0,3}>\s?(.*)$/;
const DASHES = /^\|? *:?-{2,}:? *(?:\| *:?-{2,}:? *)*\|?$/;
const DEEPEST = 6;

/** The blocks of a text. */
export function blocks(text: string): Block[] {
  return read(text.replaceAll("\r\n", "\n").replaceAll("\t", "    ").split("\n"), 0);
}

function read(lines: string[], depth: number): Block[] {
  const found: Block[] = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at] ?? "";
    if (!line.trim()) {
      at += 1;
      continue;
    }
    const [block, next] = readOne(lines, at, depth);
    found.push(block);
    at = next;
  }
  return found;
}

type Read = [block: Block, next: number];

function readOne(lines: string[], at: number, depth: number): Read {
  const line = lines[at] ?? "";
  const fence = FENCE.exec(line);
  if (fence) return code(lines, at, fence);
  const heading = HEADING.exec(line);
  if (heading) return [{ kind: "heading", text: heading[1] ?? "" }, at + 1];
  if (RULE.test(line)) return [{ kind: "rule" }, at + 1];
  if (depth < DEEPEST && QUOTE.test(line)) return quote(lines, at, depth);
  if (depth < DEEPEST && ITEM.test(line)) return list(lines, at, depth);
  if (isTable(lines, at)) return table(lines, at);
  return paragraph(lines, at, depth);
}

/** Until its end, or the end of the text: while it is written, the end is not there yet. */
function code(lines: string[], at: number, fence: RegExpExecArray): Read {
  const mark = fence[1] ?? "```";
  const isEnd = (line: string) => line.startsWith(mark) && !line.replaceAll(mark.charAt(0), "");
  const end = lines.findIndex((line, index) => index > at && isEnd(line.trim()));
  const last = end < 0 ? lines.length : end;
  const text = lines.slice(at + 1, last).join("\n");
  return [{ kind: "code", text, language: fence[2] ?? "" }, last + 1];
}

function quote(lines: string[], at: number, depth: number): Read {
  const inside: string[] = [];
  let next = at;
  for (; next < lines.length; next += 1) {
    const found = QUOTE.exec(lines[next] ?? "");
    if (!found) break;
    inside.push(found[1] ?? "");
  }
  return [{ kind: "quote", blocks: read(inside, depth + 1) }, next];
}

/** Items of one kind; what is indented below an item belongs to it. */
function list(lines: string[], at: number, depth: number): Read {
  const first = ITEM.exec(lines[at] ?? "");
  const indent = first?.[1]?.length ?? 0;
  const ordered = first?.[2] !== undefined;
  const items: string[][] = [];
  let next = at;
  for (; next < lines.length; next += 1) {
    const line = lines[next] ?? "";
    const item = ITEM.exec(line);
    const own = item && (item[1]?.length ?? 0) <= indent + 1;
    if (own && (item[2] !== undefined) !== ordered) break;
    if (own) items.push([item[3] ?? ""]);
    else if (!belongs(lines, next, indent)) break;
    else items.at(-1)?.push(line.slice(Math.min(indent + 2, leading(line))));
  }
  const start = Number(first?.[2] ?? 1);
  const inside = items.map((each) => read(each, depth + 1));
  return [{ kind: "list", ordered, start, items: inside }, next];
}

const leading = (line: string) => line.length - line.trimStart().length;

/** A line of an item: indented, or going on with its sentence, or an empty one before such a line. */
function belongs(lines: string[], at: number, indent: number): boolean {
  const line = lines[at] ?? "";
  if (line.trim()) return leading(line) > indent || Boolean(lines[at - 1]?.trim() && !begins(line));
  const next = lines[at + 1] ?? "";
  const goesOn = leading(next) > indent || (ITEM.test(next) && leading(next) === indent);
  return Boolean(next.trim()) && goesOn;
}

const begins = (line: string) =>
  FENCE.test(line) || HEADING.test(line) || RULE.test(line) || QUOTE.test(line) || ITEM.test(line);

function isTable(lines: string[], at: number): boolean {
  return Boolean(lines[at]?.includes("|")) && DASHES.test((lines[at + 1] ?? "").trim());
}

function table(lines: string[], at: number): Read {
  const rows: string[][] = [];
  let next = at + 2;
  for (; lines[next]?.includes("|"); next += 1) rows.push(cells(lines[next] ?? ""));
  return [{ kind: "table", head: cells(lines[at] ?? ""), rows }, next];
}

const cells = (line: string) =>
  line
    .trim()
    .replace(/^\|/, "")
    .replace(/\|$/, "")
    .split("|")
    .map((cell) => cell.trim());

function paragraph(lines: string[], at: number, depth: number): Read {
  let next = at + 1;
  while (lines[next]?.trim() && !(begins(lines[next] ?? "") && depth < DEEPEST)) next += 1;
  const own = lines.slice(at, next).map((line) => line.trim());
  return [{ kind: "paragraph", text: own.join("\n") }, next];
}
