/** A table that was written as text: its first line names the columns. */
export interface Table {
  head: string[];
  rows: string[][];
}

/** Reads comma-separated values; a quoted one may hold the separator, quotes and line ends. */
export function tableOf(text: string): Table {
  const separator = separatorOf(text);
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = "";
  let quoted = false;
  const endCell = () => {
    row.push(cell);
    cell = "";
  };
  const endRow = () => {
    endCell();
    if (row.length > 1 || row[0] !== "") rows.push(row);
    row = [];
  };
  for (let at = 0; at < text.length; at++) {
    const letter = text.charAt(at);
    if (quoted) {
      if (letter !== '"') cell += letter;
      else if (text.charAt(at + 1) === '"') cell += text.charAt(at++);
      else quoted = false;
    } else if (letter === '"' && cell === "") quoted = true;
    else if (letter === separator) endCell();
    else if (letter === "\n") endRow();
    else if (letter !== "\r" && letter !== "\ufeff") cell += letter;
  }
  if (cell || row.length > 0) endRow();
  const [head = [], ...rest] = rows;
  return { head, rows: rest };
}

/** What stands most often in the first line, of what people separate with. */
function separatorOf(text: string): string {
  const [line = ""] = text.split("\n", 1);
  const count = (letter: string) => line.split(letter).length;
  return [",", ";", "\t"].toSorted((one, other) => count(other) - count(one))[0] ?? ",";
}

const order = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

/** The rows by one of their columns; what is empty stands last either way. */
export function sorted(rows: string[][], column: number, down: boolean): string[][] {
  return rows.toSorted((one, other) => {
    const [mine = "", theirs = ""] = [one[column], other[column]];
    if (!mine || !theirs) return Number(!mine) - Number(!theirs);
    const [left, right] = [Number(mine), Number(theirs)];
    const compared =
      Number.isNaN(left) || Number.isNaN(right) ? order.compare(mine, theirs) : left - right;
    return down ? -compared : compared;
  });
}
