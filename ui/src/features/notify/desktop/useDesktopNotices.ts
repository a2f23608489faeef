import { useRouter } from "@tanstack/react-router";
import { useEffect } from "react";

import { queryClient } from "@/api/queries";
import { oneCase } from "@/features/cases/useCases";
import { subjectOf } from "@/features/cases/words";
import { isHappening } from "@/live/frames";
import { listen } from "@/live/live";

import { choicesReading, type Event } from "./choices";
import { type News, noticeOf } from "./notice";

const TOGETHER = 1000;
const FOCUS = "bailiwick.focused";
const TOLD: Record<string, Event> = {
  "case.done": "done",
  "case.failed": "failed",
  "case.changed": "waiting",
};

/** Tells on the desktop what became of cases while nobody looks at the office, if the person has asked for it. */
export function useDesktopNotices() {
  const router = useRouter();
  useEffect(() => {
    let heard = new Map<string, Event>();
    let timer: number | undefined;
    const show = async () => {
      timer = undefined;
      const changed = heard;
      heard = new Map();
      const choices = await queryClient.query(choicesReading).catch(() => null);
      if (!choices?.desktop) return;
      const { events, subjects } = choices;
      const news = (await newsOf(changed)).filter(({ event }) => events.includes(event));
      const [first] = news;
      if (!first || (await isLookedAt())) return;
      const { title, body } = noticeOf(news, subjects);
      const tag = news.length > 1 ? "results" : `${first.event} ${first.caseId}`;
      // All tabs hear of it: with one tag it is shown once.
      const notice = new Notification(title, { body, tag, icon: "/favicon.svg" });
      notice.onclick = () => {
        window.focus();
        const search = news.length > 1 ? {} : { case: first.caseId };
        void router.navigate({ to: "/results", search });
        notice.close();
      };
    };
    const forget = listen((frame) => {
      const event = TOLD[frame.type];
      if (!event || !isHappening(frame) || !frame.subjectId || !mayShow()) return;
      heard.set(frame.subjectId, event);
      timer ??= window.setTimeout(() => void show(), TOGETHER);
    });
    const stop = holdWhileFocused();
    return () => {
      forget();
      stop();
      window.clearTimeout(timer);
    };
  }, [router]);
}

const mayShow = () => "Notification" in window && Notification.permission === "granted";

/** What it is about; a case that does not wait for a person after all is no news. */
async function newsOf(changed: Map<string, Event>): Promise<News[]> {
  const read = async ([caseId, event]: [string, Event]): Promise<News[]> => {
    const one = await queryClient.query({ ...oneCase(caseId), staleTime: 0 });
    if (one.state !== event) return [];
    return [{ event, caseId, subject: subjectOf(one), director: one.directorName }];
  };
  const MANY = 20;
  const first = [...changed].slice(0, MANY);
  const rest = [...changed].slice(MANY).filter(([, event]) => event !== "waiting");
  const found = await Promise.all(first.map((one) => read(one).catch(() => [])));
  return [
    ...found.flat(),
    ...rest.map(([caseId, event]) => ({ event, caseId, subject: "", director: "" })),
  ];
}

/** Whether someone has this office before their eyes, in this tab or in another. */
async function isLookedAt(): Promise<boolean> {
  if (document.hasFocus()) return true;
  const { locks } = navigator as Partial<Pick<Navigator, "locks">>;
  const held = (await locks?.query())?.held ?? [];
  return held.some(({ name }) => name === FOCUS);
}

/** The tab that has the focus holds a lock for as long as it has it, so that the others know. */
function holdWhileFocused(): () => void {
  const { locks } = navigator as Partial<Pick<Navigator, "locks">>;
  let release = () => {};
  const hold = () => {
    release();
    if (!document.hasFocus()) return;
    const held = new Promise<void>((resolve) => (release = resolve));
    void locks?.request(FOCUS, { mode: "shared" }, () => held);
  };
  const leave = () => release();
  hold();
  window.addEventListener("focus", hold);
  window.addEventListener("blur", leave);
  return () => {
    release();
    window.removeEventListener("focus", hold);
    window.removeEventListener("blur", leave);
  };
}
