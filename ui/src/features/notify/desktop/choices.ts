import { useSyncExternalStore } from "react";

/** What a notification can be about. */
export const EVENTS = {
  done: "A result is done",
  failed: "The work on a mail failed",
  waiting: "A director waits for you",
} as const;

export type Event = keyof typeof EVENTS;

export interface Choices {
  /** Whether this browser shows any. */
  on: boolean;
  events: Event[];
  /** Whether they say which mail it is about. */
  subjects: boolean;
}

const NONE: Choices = { on: false, events: ["done", "failed", "waiting"], subjects: false };
const placeOf = (user: string) => `bailiwick.desktop.${user}`;

/** What was chosen in this browser; what is not understood counts as not chosen. */
export function parsed(text: string | null): Choices {
  try {
    const given = JSON.parse(text ?? "") as Partial<Record<keyof Choices, unknown>>;
    const chosen = Array.isArray(given.events) ? (given.events as unknown[]) : NONE.events;
    return {
      on: given.on === true,
      events: (Object.keys(EVENTS) as Event[]).filter((event) => chosen.includes(event)),
      subjects: given.subjects === true,
    };
  } catch {
    return NONE;
  }
}

const listeners = new Set<() => void>();

function subscribe(listener: () => void) {
  listeners.add(listener);
  window.addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", listener);
  };
}

export function keep(user: string, choices: Choices) {
  localStorage.setItem(placeOf(user), JSON.stringify(choices));
  listeners.forEach((listener) => listener());
}

export const choicesOf = (user: string) => parsed(localStorage.getItem(placeOf(user)));

/** A person's choices in this browser: another browser, and another person here, have their own. */
export function useChoices(user: string): Choices {
  const text = useSyncExternalStore(subscribe, () => localStorage.getItem(placeOf(user)));
  return parsed(text);
}
