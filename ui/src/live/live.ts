import { useEffect, useSyncExternalStore } from "react";

import { queryClient } from "@/api/queries";

import { affectedBy } from "./affected";
import { type Frame, isHappening } from "./frames";
import { refreshing } from "./refreshing";
import { type Connection, shareStream } from "./share";

let connection: Connection = "connecting";
const watchers = new Set<() => void>();
const listeners = new Set<(frame: Frame) => void>();

/** Hears every frame; for what is shown while it comes, such as a message being written. */
export function listen(listener: (frame: Frame) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function start(): () => void {
  const refresh = refreshing(queryClient);
  const stop = shareStream({
    onFrame: (frame) => {
      if (isHappening(frame)) refresh.some(affectedBy(frame.type));
      listeners.forEach((listener) => listener(frame));
    },
    onGap: refresh.all,
    onConnection: (next) => {
      connection = next;
      watchers.forEach((watcher) => watcher());
    },
  });
  return () => {
    stop();
    refresh.stop();
    connection = "connecting";
  };
}

/** Keeps what is on the page true, while the page is there. */
export function useLive() {
  useEffect(start, []);
}

function watch(watcher: () => void) {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

export const useConnection = () => useSyncExternalStore(watch, () => connection);
