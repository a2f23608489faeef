import { useSyncExternalStore } from "react";

import { took } from "@/features/llm/models/amounts";

import { isLive, type Run } from "./words";

const TICK = 1000;

function everySecond(tick: () => void) {
  const timer = window.setInterval(tick, TICK);
  return () => window.clearInterval(timer);
}
const never = () => () => {};
const secondsNow = () => Math.floor(Date.now() / TICK) * TICK;

/** How long a run took; it counts on while the run is not over. */
export function Took({ run }: { run: Run }) {
  const live = isLive(run);
  const now = useSyncExternalStore(live ? everySecond : never, secondsNow);
  if (!run.startedAt) return "–";
  const end = live ? now : Date.parse(run.completedAt ?? run.updatedAt);
  const spent = Math.max(0, end - Date.parse(run.startedAt));
  // Tenths of a second that jump about are no news.
  return live && spent < 60_000 ? `${Math.floor(spent / 1000)} s` : took(spent);
}
