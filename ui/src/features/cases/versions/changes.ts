const MOST = 4_000_000;
const AROUND = 3;

type Line = [mark: " " | "+" | "-", text: string];

/** What was changed from one text to another, line by line, as a unified diff; nothing where they are the same. */
export function changes(before: string, after: string): string {
  const lines = compared(before.split("\n"), after.split("\n"));
  const near = lines.map((_, at) =>
    lines.slice(Math.max(0, at - AROUND), at + AROUND + 1).some(([mark]) => mark !== " "),
  );
  const told: string[] = [];
  let line = 1;
  lines.forEach(([mark, text], at) => {
    if (near[at]) {
      if (at > 0 && !near[at - 1]) told.push(`@@ -${line} +${line} @@`);
      told.push(`${mark}${text}`);
    }
    if (mark !== "-") line += 1;
  });
  return told.join("\n");
}

function compared(before: string[], after: string[]): Line[] {
  const least = Math.min(before.length, after.length);
  let start = 0;
  while (start < least && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < least - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const old = before.slice(start, before.length - end);
  const made = after.slice(start, after.length - end);
  const same = (text: string): Line => [" ", text];
  // Too much to be compared line by line: the one stands for the other.
  const middle =
    old.length * made.length > MOST
      ? [...old.map((text): Line => ["-", text]), ...made.map((text): Line => ["+", text])]
      : between(old, made);
  return [
    ...before.slice(0, start).map(same),
    ...middle,
    ...before.slice(before.length - end).map(same),
  ];
}

/** By the longest common sequence of lines. */
function between(old: string[], made: string[]): Line[] {
  const width = made.length + 1;
  const longest = new Uint32Array((old.length + 1) * width);
  const at = (row: number, column: number) => longest[row * width + column] ?? 0;
  for (let row = old.length - 1; row >= 0; row--) {
    for (let column = made.length - 1; column >= 0; column--) {
      longest[row * width + column] =
        old[row] === made[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const lines: Line[] = [];
  let [row, column] = [0, 0];
  while (row < old.length || column < made.length) {
    const [gone = "", come = ""] = [old[row], made[column]];
    if (row < old.length && column < made.length && gone === come) {
      lines.push([" ", gone]);
      row += 1;
      column += 1;
    } else if (
      column >= made.length ||
      (row < old.length && at(row + 1, column) >= at(row, column + 1))
    ) {
      lines.push(["-", gone]);
      row += 1;
    } else {
      lines.push(["+", come]);
      column += 1;
    }
  }
  return lines;
}
