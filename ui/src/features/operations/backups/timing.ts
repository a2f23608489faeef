/** How often, as the dialog offers it. */
export const CHOICES = [
  { value: "", label: "Never" },
  { value: "every hour", label: "Every hour" },
  { value: "every day", label: "Every day" },
  { value: "every weekday", label: "Every weekday" },
  { value: "every Sunday", label: "Every Sunday" },
  { value: "words", label: "In other words" },
];

const TIMED = /^(every (?:day|weekday|sunday)) at (\d{1,2})(?::(\d{2}))?$/i;

export interface Timing {
  often: string;
  time: string;
  words: string;
}

export const hasTime = (often: string) => /^every (day|weekday|sunday)$/i.test(often);

/** The choice that a schedule begins with, however it was written. */
const choiceOf = (text: string) =>
  CHOICES.find(({ value }) => value.toLowerCase() === text.toLowerCase())?.value;

/** A schedule as the dialog holds it. */
export function asTiming(text: string): Timing {
  const timed = TIMED.exec(text);
  if (timed) {
    const [, often = "", hour = "3", minute = "00"] = timed;
    const time = `${hour.padStart(2, "0")}:${minute}`;
    return { often: choiceOf(often) ?? "words", time, words: text };
  }
  const known = choiceOf(text);
  const plain = known !== undefined && !hasTime(known);
  return { often: plain ? known : "words", time: "03:00", words: text };
}

/** The same as the server keeps it. */
export function asText({ often, time, words }: Timing): string {
  if (often === "words") return words.trim();
  return hasTime(often) ? `${often} at ${time}` : often;
}

/** "Every day at 3:00", or the cron line as it is. */
export function inWords(text: string): string {
  if (!text) return "No backups by themselves";
  const sentence = text.charAt(0).toUpperCase() + text.slice(1);
  return /^[\d*@]/.test(text) ? `Cron: ${text}` : sentence.replace(/ at 0(\d)/, " at $1");
}
