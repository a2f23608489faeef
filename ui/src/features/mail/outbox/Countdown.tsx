import { useEffect, useState } from "react";

const SECOND = 1_000;

/** How long a message can still be taken back, second by second. */
export function Countdown({ until }: { until: string }) {
  const [now, setNow] = useState(Date.now);
  const left = Math.ceil((new Date(until).getTime() - now) / SECOND);
  const isOver = left <= 0;
  useEffect(() => {
    if (isOver) return;
    const timer = window.setInterval(() => setNow(Date.now()), SECOND);
    return () => window.clearInterval(timer);
  }, [isOver, until]);
  return (
    <time dateTime={until} style={{ fontVariantNumeric: "tabular-nums" }}>
      {isOver ? "goes out now" : `goes out in ${inWords(left)}`}
    </time>
  );
}

/** "9 s", "4 min 05 s", "2 h 10 min". */
function inWords(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  if (minutes === 0) return `${seconds} s`;
  if (minutes < 60) return `${minutes} min ${String(seconds % 60).padStart(2, "0")} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
