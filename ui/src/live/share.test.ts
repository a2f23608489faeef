import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import type { Frame } from "./frames";
import { shareStream } from "./share";

/** The server's stream, as far as a test drives it. */
class Source {
  static opened: Source[] = [];
  onopen = () => {};
  onmessage = (_event: { data: string }) => {};
  onerror = () => {};
  closed = false;
  readonly url: string;

  constructor(url: string) {
    this.url = url;
    Source.opened.push(this);
  }

  close() {
    this.closed = true;
  }

  say(frame: object) {
    this.onmessage({ data: JSON.stringify(frame) });
  }
}

const happened = (position: number) => ({ id: `e${position}`, type: "rule.changed", position });
const last = () => {
  const source = Source.opened.at(-1);
  if (!source) throw new Error("nothing was opened");
  return source;
};

describe("a tab that holds the stream", () => {
  const heard: Frame[] = [];
  const onGap = vi.fn();
  const onConnection = vi.fn();
  let stop: () => void;

  beforeEach(() => {
    heard.length = 0;
    Source.opened = [];
    vi.clearAllMocks();
    vi.useFakeTimers();
    vi.stubGlobal("window", {
      addEventListener() {},
      removeEventListener() {},
      setTimeout,
      clearTimeout,
    });
    vi.stubGlobal("document", { addEventListener() {}, removeEventListener() {} });
    // Without locks every tab leads for itself.
    vi.stubGlobal("navigator", {});
    vi.stubGlobal("EventSource", Source);
    stop = shareStream({ onFrame: (frame) => heard.push(frame), onGap, onConnection });
  });
  afterEach(() => {
    stop();
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it("begins where the server is, and takes what came before for missed", () => {
    last().onopen();
    last().say({ type: "stream.ready", position: 7 });
    expect(onConnection).toHaveBeenLastCalledWith("live");
    expect(onGap).toHaveBeenCalledTimes(1);
  });

  it("hears each event once", () => {
    last().say({ type: "stream.ready", position: 7 });
    last().say(happened(8));
    last().say(happened(8));
    last().say(happened(9));
    expect(heard.map((frame) => ("position" in frame ? frame.position : 0))).toEqual([7, 8, 9]);
    expect(onGap).toHaveBeenCalledTimes(1);
  });

  it("comes back by itself and goes on where it was, without a gap", async () => {
    last().say({ type: "stream.ready", position: 7 });
    last().say(happened(8));
    last().onerror();
    expect(onConnection).toHaveBeenLastCalledWith("lost");
    await vi.advanceTimersByTimeAsync(250);
    expect(Source.opened).toHaveLength(2);
    expect(last().url).toMatch(/\?after=8$/);
    last().say({ type: "stream.ready", position: 8 });
    expect(onGap).toHaveBeenCalledTimes(1);
  });

  it("has a gap when the server forgot, or went back to an older backup", () => {
    last().say({ type: "stream.ready", position: 7 });
    last().say({ type: "stream.reset" });
    expect(onGap).toHaveBeenCalledTimes(2);
    last().say({ type: "stream.ready", position: 20 });
    last().say({ type: "stream.ready", position: 5 });
    expect(onGap).toHaveBeenCalledTimes(4);
  });

  it("waits longer from failure to failure", async () => {
    last().onerror();
    await vi.advanceTimersByTimeAsync(250);
    last().onerror();
    await vi.advanceTimersByTimeAsync(250);
    expect(Source.opened).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(750);
    expect(Source.opened).toHaveLength(3);
  });

  it("lets go of it at the end", () => {
    stop();
    expect(last().closed).toBe(true);
  });
});
