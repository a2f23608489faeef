import { expect, test } from "vitest";

import { lineInWords } from "./listed";

const line = { model: "next-1", window: null, inputPrice: null, outputPrice: null };

test("a model is told with its name, its window and its price, as far as they are known", () => {
  expect(lineInWords(line)).toBe("Its window and its price are not known");
  expect(lineInWords({ ...line, window: 8192, inputPrice: 0, outputPrice: 0 })).toBe(
    "a window of 8,192 tokens · free",
  );
  const dear = { ...line, name: "Next 1", inputPrice: 500_000, outputPrice: 2_000_000 };
  expect(lineInWords(dear)).toBe("Next 1 · $0.50 in, $2.00 out for a million tokens");
});
