import { Tooltip } from "@mantine/core";
import { useSyncExternalStore } from "react";

const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
];
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const exact = new Intl.DateTimeFormat("en", { dateStyle: "full", timeStyle: "medium" });

const TICK = 20_000;

function onTick(tick: () => void) {
  const timer = window.setInterval(tick, TICK);
  return () => window.clearInterval(timer);
}

/** The time, in steps: what says "just now" does not say so for ever. */
const useNow = () => useSyncExternalStore(onTick, () => Math.floor(Date.now() / TICK) * TICK);

/** "5 minutes ago", "in 3 months". */
function relativeTime(moment: Date, now: number): string {
  const seconds = (moment.getTime() - now) / 1000;
  const unit = UNITS.find(([, size]) => Math.abs(seconds) >= size);
  return unit ? relative.format(Math.round(seconds / unit[1]), unit[0]) : "just now";
}

interface Props {
  at: string;
  /** A word before it, such as "made". */
  prefix?: string;
}

/** A time as people say it, with the exact one on hover. */
export function When({ at, prefix }: Props) {
  const now = useNow();
  const moment = new Date(at);
  return (
    <Tooltip label={exact.format(moment)}>
      <time dateTime={at}>{[prefix, relativeTime(moment, now)].filter(Boolean).join(" ")}</time>
    </Tooltip>
  );
}
