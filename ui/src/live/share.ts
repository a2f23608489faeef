import { type Frame, isHappening } from "./frames";
import { inTurn } from "./inTurn";
import { onWaking } from "./onWaking";
import { Stream } from "./Stream";

const NAME = "bailiwick.live";
const LONGEST_SILENCE = 3000;

export type Connection = "connecting" | "live" | "lost";

type Message =
  | { kind: "hello" }
  | { kind: "state"; connection: Connection; position: number | undefined }
  | { kind: "frame"; frame: Frame };

interface Listener {
  onFrame: (frame: Frame) => void;
  /** This tab may have missed something. */
  onGap: () => void;
  onConnection: (connection: Connection) => void;
}

/**
 * One stream for all tabs of the browser, since a browser opens few connections to a server: one tab holds it and
 * passes on what it hears. Every tab knows the position, so that any of them can go on from there.
 */
export function shareStream({ onFrame, onGap, onConnection }: Listener): () => void {
  const channel = new BroadcastChannel(NAME);
  let stream: Stream | null = null;
  let connection: Connection = "connecting";
  let position: number | undefined;
  let unanswered: number | undefined;

  const say = (message: Message) => channel.postMessage(message);
  const sayState = () => say({ kind: "state", connection, position });

  const hear = (frame: Frame) => {
    if (isHappening(frame)) {
      if (position !== undefined && frame.position <= position) return;
      position = frame.position;
    } else if (frame.type === "stream.ready") {
      // Nothing known before, or the server went back to an older backup.
      if (position === undefined || frame.position < position) onGap();
      position = frame.position;
    } else if (frame.type === "stream.reset") {
      position = undefined;
      onGap();
    }
    onFrame(frame);
  };
  const become = (next: Connection) => {
    connection = next;
    onConnection(next);
  };

  const lead = () => {
    window.clearTimeout(unanswered);
    const change = (next: Connection) => {
      become(next);
      sayState();
    };
    stream = new Stream(() => position, {
      onFrame: (frame) => {
        say({ kind: "frame", frame });
        hear(frame);
      },
      onOpen: () => change("live"),
      onLost: () => change("lost"),
    });
    return () => {
      stream?.close();
      stream = null;
    };
  };
  const turn = inTurn(NAME, lead);

  const greet = () => {
    if (stream) return;
    window.clearTimeout(unanswered);
    unanswered = window.setTimeout(turn.takeOver, LONGEST_SILENCE);
    say({ kind: "hello" });
  };
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (stream) return data.kind === "hello" ? sayState() : undefined;
    if (data.kind === "hello") return;
    window.clearTimeout(unanswered);
    if (data.kind === "frame") return hear(data.frame);
    if (position === undefined && data.position !== undefined) {
      // What happened on the way there, this tab has not heard.
      position = data.position;
      onGap();
    }
    become(data.connection);
  };
  const forget = onWaking(() => (stream ? stream.open() : greet()));
  greet();

  return () => {
    forget();
    window.clearTimeout(unanswered);
    turn.stop();
    channel.close();
  };
}
