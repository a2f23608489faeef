/** A message that is being written, and which parts of it were pasted: [from, to). */
export interface Written {
  text: string;
  pasted: (readonly [number, number])[];
}

export const NOTHING: Written = { text: "", pasted: [] };

// Keyboards of telephones paste as if it were typed. Nobody types so much at once.
const MOST_TYPED = 200;

/** Whether a change of a text box brings in what somebody else may have written. */
export const isPaste = (event: Event, inserted: string) => {
  const type = "inputType" in event ? String(event.inputType) : "";
  return /^(insertFrom|history)/.test(type) || inserted.length > MOST_TYPED || /\n./.test(inserted);
};

/** What a change put in, as far as the two texts tell. */
export function change(before: string, after: string) {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start++;
  let same = 0;
  while (same < most - start && before.at(-1 - same) === after.at(-1 - same)) same++;
  return { start, removed: before.length - same, end: after.length - same };
}

/** The message after a change; what was pasted before stays so, wherever it moves. */
export function edited(before: Written, text: string, event: Event): Written {
  const { start, removed, end } = change(before.text, text);
  const move = (at: number) => (at <= start ? at : Math.max(start, at - removed + end));
  const pasted = before.pasted.flatMap(([from, to]): [number, number][] =>
    // What is typed in the middle of a paste belongs to it.
    from < start && to > removed
      ? [[from, to - removed + end]]
      : from >= start && to <= removed
        ? []
        : from >= start
          ? [[Math.max(end, from - removed + end), move(to)]]
          : [[from, Math.min(to, start)]],
  );
  if (end > start && isPaste(event, text.slice(start, end))) pasted.push([start, end]);
  return { text, pasted: pasted.filter(([from, to]) => from < to).sort(([a], [b]) => a - b) };
}

/** The message as it is sent: without space around it, places in whole characters. */
export function message({ text, pasted }: Written) {
  const content = text.trim();
  const left = text.length - text.trimStart().length;
  const place = (at: number) =>
    Array.from(content.slice(0, Math.max(0, Math.min(at - left, content.length)))).length;
  return {
    content,
    pasted: pasted
      .map(([from, to]) => ({ start: place(from), end: place(to) }))
      .filter(({ start, end }) => start < end),
  };
}

/** A message that was sent, to be said anew: what was pasted then is pasted now. */
export function again(content: string, ranges: unknown): Written {
  const characters = Array.from(content);
  const place = (at: number) => characters.slice(0, at).join("").length;
  const known = Array.isArray(ranges) ? (ranges as { start?: unknown; end?: unknown }[]) : [];
  return {
    text: content,
    pasted: known.flatMap(({ start, end }): [number, number][] =>
      typeof start === "number" && typeof end === "number" ? [[place(start), place(end)]] : [],
    ),
  };
}
