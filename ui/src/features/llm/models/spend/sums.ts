import type { Schemas } from "@/api/client";

type Line = Schemas["SpendRow"];

export interface Sum {
  key: string;
  name: string;
  calls: number;
  tokens: number;
  money: number;
  saved: number;
}

/** What belongs together, the dearest first. */
export function summed(lines: Line[], by: (line: Line) => { key: string; name: string }): Sum[] {
  const sums = new Map<string, Sum>();
  for (const line of lines) {
    const { key, name } = by(line);
    const sum = sums.get(key) ?? { key, name, calls: 0, tokens: 0, money: 0, saved: 0 };
    sum.calls += line.calls;
    sum.tokens += line.inputTokens + line.outputTokens;
    sum.money += line.money;
    sum.saved += line.saved;
    sums.set(key, sum);
  }
  return [...sums.values()].sort((a, b) => b.money - a.money || b.tokens - a.tokens);
}

const DAY = 86_400_000;

/** Every one of the last days, with nothing on those of which nothing is told. */
export function daily(lines: Line[], days: number, now = new Date()): Sum[] {
  const sums = new Map(
    summed(lines, ({ day }) => ({ key: day, name: day })).map((sum) => [sum.key, sum]),
  );
  // The office's calendar may be a day ahead of this browser's.
  const newest = [localDay(now), ...sums.keys()].sort().at(-1) ?? localDay(now);
  const last = Date.parse(`${newest}T00:00:00Z`);
  return Array.from({ length: days }, (_, place) => {
    const day = new Date(last - (days - 1 - place) * DAY).toISOString().slice(0, 10);
    return sums.get(day) ?? { key: day, name: day, calls: 0, tokens: 0, money: 0, saved: 0 };
  });
}

const two = (part: number) => String(part).padStart(2, "0");
const localDay = (at: Date) => `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;

const words = new Intl.DateTimeFormat("en", { day: "numeric", month: "short", timeZone: "UTC" });
export const dayInWords = (day: string) => words.format(new Date(`${day}T00:00:00Z`));
