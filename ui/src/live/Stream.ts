import { http } from "@/api/client";

import type { Frame } from "./frames";

const PAUSES = [250, 1000, 2000, 4000];

export interface StreamListener {
  onFrame: (frame: Frame) => void;
  onOpen: () => void;
  onLost: () => void;
}

/**
 * A connection to the server's events that comes back by itself. The browser would do that too, but from the position
 * of the last frame that had an id, and never after an answer that is no stream.
 */
export class Stream {
  #source: EventSource | null = null;
  #timer: number | undefined;
  #failures = 0;
  readonly #after: () => number | undefined;
  readonly #listener: StreamListener;

  constructor(after: () => number | undefined, listener: StreamListener) {
    this.#after = after;
    this.#listener = listener;
    this.open();
  }

  /** Connects anew, at once. */
  open() {
    this.close();
    const after = this.#after();
    const query = after === undefined ? "" : `?after=${after}`;
    const source = new EventSource(`/api/v1/events/stream${query}`);
    source.onopen = () => {
      this.#failures = 0;
      this.#listener.onOpen();
    };
    source.onmessage = ({ data }) => this.#listener.onFrame(JSON.parse(String(data)) as Frame);
    source.onerror = () => this.#lost();
    this.#source = source;
  }

  close() {
    window.clearTimeout(this.#timer);
    this.#source?.close();
    this.#source = null;
  }

  #lost() {
    this.close();
    this.#listener.onLost();
    const pause = PAUSES[Math.min(this.#failures, PAUSES.length - 1)];
    this.#failures += 1;
    this.#timer = window.setTimeout(() => this.open(), pause);
    // An EventSource does not say why it ended. If nobody is signed in any more, this answer does.
    http.GET("/api/v1/auth/whoami").catch(() => {});
  }
}
