import { describe, expect, it } from "vitest";

import type { Message, Session } from "../transcript/useSession";
import { linesOf, otherRuns, withoutEnding } from "./lines";
import type { ThreadMessage } from "./useThread";

const said = (id: string, role: ThreadMessage["role"], more: Partial<ThreadMessage> = {}) =>
  ({ id, role, content: id, hidden: false, runId: "run-1", ...more }) as ThreadMessage;

const row = (position: number, role: string, messageId: string | null = null, more = {}) =>
  ({
    position,
    role,
    kind: "message",
    content: "",
    messageId,
    toolCalls: null,
    ...more,
  }) as Message;

const session = (messages: Message[], more: Partial<Session> = {}) =>
  ({
    id: "run-1",
    messages,
    calls: [],
    errorMessage: null,
    status: "completed",
    ...more,
  }) as Session;

const told = (path: ThreadMessage[], ...sessions: Session[]) =>
  linesOf(path, sessions).map((line) =>
    line.kind === "answer"
      ? `answer ${line.message?.id ?? "none"}: ${line.turns.map((one) => one.message.position).join()}`
      : `${line.kind} ${line.kind === "said" ? (line.heard?.message.position ?? "-") : ""}`.trim(),
  );

describe("a thread as it is read", () => {
  const run = session([
    row(0, "user", "a", { kind: "prompt" }),
    row(1, "assistant"),
    row(2, "tool"),
    row(3, "assistant"),
    row(4, "user", "b"),
    row(5, "assistant"),
  ]);

  it("has what an agent did with the answer that came of it", () => {
    const path = [
      said("a", "user"),
      said("x", "assistant"),
      said("b", "user"),
      said("y", "assistant"),
    ];
    expect(told(path, run)).toEqual(["said -", "answer x: 1,3", "said 4", "answer y: 5"]);
  });

  it("shows what is under way before there is an answer, in the same line", () => {
    const path = [said("a", "user"), said("x", "assistant"), said("b", "user")];
    expect(told(path, run).at(-1)).toBe("answer none: 5");
    const [before, after] = [
      linesOf(path, [run]),
      linesOf([...path, said("y", "assistant")], [run]),
    ];
    expect(before.at(-1)?.key).toBe(after.at(-1)?.key);
  });

  it("says nothing again that was deleted, though the transcript has it", () => {
    const path = [
      said("a", "user"),
      said("x", "assistant", { hidden: true }),
      said("b", "user", { hidden: true }),
    ];
    expect(told(path, run)).toEqual(["said -", "deleted", "deleted", "answer none: 5"]);
  });

  it("has the words of an agent whose transcript is not there, and asks for it", () => {
    const path = [
      said("o", "user", { runId: "run-0" }),
      said("w", "assistant", { runId: "run-0" }),
      said("a", "user"),
      said("x", "assistant"),
    ];
    expect(told(path, run)[1]).toBe("answer w: ");
    expect(otherRuns(path, run)).toEqual(["run-0"]);
    expect(otherRuns(path, undefined)).toEqual(["run-0", "run-1"]);
  });

  it("tells once why the work failed", () => {
    const path = [said("a", "user"), said("f", "system")];
    const lines = linesOf(path, []);
    expect(withoutEnding(lines, session([], { status: "failed" })).map(({ kind }) => kind)).toEqual(
      ["said"],
    );
    expect(withoutEnding(lines, session([], { status: "cancelled" }))).toEqual(lines);
  });
});
