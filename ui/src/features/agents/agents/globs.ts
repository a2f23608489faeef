/** Patterns as the gate reads them: `*` is any part of one name, `**` any number of folders. */
export function fits(pattern: string, name: string): boolean {
  return fitsFrom(pattern.normalize().split("/"), name.normalize().split("/"));
}

/** Whether a pattern of folders covers a folder with all beneath it. */
export function coversFolder(pattern: string, folder: string): boolean {
  if (pattern === "/") return true;
  const plain = pattern.replace(/^\//, "").replace(/\/$/, "");
  const last = plain.split("/").at(-1) ?? "";
  if (last === "**") return fits(plain, folder);
  return last !== "" && !last.includes("*") && fits(`${plain}/**`, folder);
}

export const fitsAny = (patterns: string[], name: string) =>
  patterns.some((pattern) => fits(pattern, name));

/** For names without folders: a slash in one is a letter like any other. */
export const fitsTool = (patterns: string[], name: string) =>
  patterns.some((pattern) => nameFits(pattern.normalize(), name.normalize()));

/** Row by row, so that no pattern takes long, whoever wrote it. */
function fitsFrom(pattern: string[], path: string[]): boolean {
  let reached = Array.from({ length: path.length + 1 }, (_, place) => place === 0);
  for (const part of pattern) {
    const next = reached.map(() => false);
    for (let place = 0; place <= path.length; place += 1) {
      if (part === "**") next[place] = Boolean(reached[place] || (place > 0 && next[place - 1]));
      else if (place > 0) {
        next[place] = Boolean(reached[place - 1] && nameFits(part, path[place - 1] ?? ""));
      }
    }
    reached = next;
  }
  return Boolean(reached[path.length]);
}

/** `*` against one name, going back to the last star only. */
function nameFits(pattern: string, name: string): boolean {
  let [at, from, star, mark] = [0, 0, -1, 0];
  while (from < name.length) {
    if (pattern[at] === "*") {
      star = at;
      mark = from;
      at += 1;
    } else if (pattern[at] === name[from]) {
      at += 1;
      from += 1;
    } else if (star >= 0) {
      at = star + 1;
      mark += 1;
      from = mark;
    } else return false;
  }
  while (pattern[at] === "*") at += 1;
  return at === pattern.length;
}
