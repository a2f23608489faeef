/** Longer texts are shown without marks: to compare them would hold up the page. */
export const LONGEST = 5000;

export interface Piece {
  text: string;
  differs: boolean;
}

const WORDS = /\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu;

/** Two texts as pieces, with the words marked that only one of them has; null if they are too long. */
export function wordDiff(left: string, right: string): [Piece[], Piece[]] | null {
  if (left.length > LONGEST || right.length > LONGEST) return null;
  const [a, b] = [left.match(WORDS) ?? [], right.match(WORDS) ?? []];
  const [inA, inB] = common(a, b);
  return [pieces(a, inA), pieces(b, inB)];
}

/** Which words of each belong to what both have, in order. What begins and ends alike needs no search. */
function common(a: string[], b: string[]): [boolean[], boolean[]] {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let [endA, endB] = [a.length, b.length];
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) {
    endA -= 1;
    endB -= 1;
  }
  const inA = a.map((_, place) => place < start || place >= endA);
  const inB = b.map((_, place) => place < start || place >= endB);
  for (const [i, j] of longest(a.slice(start, endA), b.slice(start, endB))) {
    inA[start + i] = true;
    inB[start + j] = true;
  }
  return [inA, inB];
}

/** The longest row of words that both have: the pairs of their places. */
function longest(a: string[], b: string[]): [number, number][] {
  const width = b.length + 1;
  const lengths = new Uint16Array((a.length + 1) * width);
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] =
        a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const pairs: [number, number][] = [];
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      pairs.push([i, j]);
      i += 1;
      j += 1;
    } else if (at(i + 1, j) >= at(i, j + 1)) i += 1;
    else j += 1;
  }
  return pairs;
}

/** Neighbours of one kind become one piece; a space between two words that differ differs too. */
function pieces(words: string[], inBoth: boolean[]): Piece[] {
  const found: Piece[] = [];
  words.forEach((word, place) => {
    const isGap = !word.trim() && inBoth[place - 1] === false && inBoth[place + 1] === false;
    const differs = !inBoth[place] || isGap;
    const last = found.at(-1);
    if (last?.differs === differs) last.text += word;
    else found.push({ text: word, differs });
  });
  return found;
}
