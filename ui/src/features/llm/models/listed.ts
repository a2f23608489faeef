import { figure } from "./amounts";
import { pairInWords } from "./words";

/** A model that can be chosen, from a key's list or from the public table. */
export interface ListedModel {
  model: string;
  name?: string | null;
  window: number | null;
  inputPrice: number | null;
  outputPrice: number | null;
}

/** "Claude Next · a window of 300,000 tokens · $3.00 in, $15.00 out for a million tokens". */
export function lineInWords({ name, window, inputPrice, outputPrice }: ListedModel): string {
  const priced = inputPrice !== null && outputPrice !== null;
  const said = [
    name,
    window && `a window of ${figure(window)} tokens`,
    priced && (inputPrice || outputPrice)
      ? `${pairInWords(inputPrice, outputPrice)} for a million tokens`
      : priced && "free",
  ].filter(Boolean);
  return said.join(" · ") || "Its window and its price are not known";
}
