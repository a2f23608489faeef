export interface View {
  /** How far the list's beginning lies above what is seen, in pixels. */
  top: number;
  height: number;
}

export interface Shown {
  first: number;
  /** After the last one. */
  end: number;
  /** The room of those that are left out. */
  before: number;
  after: number;
}

// Rows beyond the edges: the keyboard goes to the next row before it is seen.
const SPARE = 12;

/** Which of many things are worth making, if all have the same height and stand in columns. */
export function shownOf(view: View, count: number, height: number, columns = 1): Shown {
  const rows = Math.ceil(count / columns);
  const wanted = Math.floor(view.top / height) - SPARE;
  const first = Math.min(Math.max(0, wanted), Math.max(0, rows - 1));
  const visible = Math.ceil(view.height / height) + 2 * SPARE;
  const end = Math.min(rows, first + visible);
  return {
    first: first * columns,
    end: Math.min(count, end * columns),
    before: first * height,
    after: (rows - end) * height,
  };
}
