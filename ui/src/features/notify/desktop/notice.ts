import type { Event } from "./choices";

export interface News {
  event: Event;
  caseId: string;
  subject: string;
  director: string;
}

const ONE: Record<Event, string> = {
  done: "A result is done",
  failed: "The work on a mail failed",
  waiting: "A director waits for you",
};

/** What a notification says: of one thing what it is, of many how many. It tells whose mail it is only if it may. */
export function noticeOf(news: News[], subjects: boolean): { title: string; body: string } {
  const [first, ...more] = news;
  if (!first) return { title: "", body: "" };
  if (more.length === 0) {
    return { title: ONE[first.event], body: subjects ? `${first.subject}\n${first.director}` : "" };
  }
  const count = (event: Event) => news.filter((one) => one.event === event).length;
  const parts = [
    [count("waiting"), "waiting for you"],
    [count("failed"), "failed"],
    [count("done"), "done"],
  ] as const;
  const body = parts.filter(([many]) => many > 0).map(([many, words]) => `${many} ${words}`);
  return { title: `${news.length} results`, body: body.join(", ") };
}
