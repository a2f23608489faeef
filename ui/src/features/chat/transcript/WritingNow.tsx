import { type ReactNode } from "react";

import { Visible } from "@/features/gate/shared/Untrusted";
import { useChunks, type Writings } from "@/live/useChunks";

import { isLive } from "@/features/runs/list/words";
import callLine from "./CallLine.module.css";
import styles from "./Conversation.module.css";
import { Markdown } from "@/markdown/Markdown";
import { Row } from "./MessageRow";
import { Thought } from "./Thought";
import { lastWritten } from "./turns";
import type { Session } from "./useSession";

interface Props {
  id: string;
  agentName: string;
  /** As far as it is known: what is written may come before it was read. */
  session: Session | undefined;
  /** The agent spoke last. */
  goesOn: boolean;
}

/** The answer while it is written; the transcript takes its place when it is done. */
export function WritingNow({ id, agentName, session, goesOn }: Props) {
  const texts = useChunks(`${id}/`);
  if (session && !isLive(session)) return null;
  const answers = answersOf(texts, id, lastWritten(session?.messages ?? []));
  const isIdle = !session || session.status === "waiting" || session.messages.length === 0;
  if (answers.length === 0) return isIdle ? null : <Thinking agent={agentName} />;
  return answers.map(({ position, text, thought, calls }, place) => (
    <Row key={position} speaker={agentName} goesOn={goesOn || place > 0}>
      <div aria-busy>
        {thought && <Thought text={thought} isThinking={!text && calls.length === 0} />}
        {text && <Markdown>{text}</Markdown>}
        {calls.map((tool, index) => (
          <p key={index} className={callLine.line}>
            <Dots>
              is about to use <Visible>{tool}</Visible>…
            </Dots>
          </p>
        ))}
      </div>
    </Row>
  ));
}

interface Answer {
  position: number;
  text: string;
  /** What it thinks: no part of its text. */
  thought: string;
  /** The names of the tools that it is about to use. */
  calls: string[];
}

/** What is not in the transcript yet: `run/position` is a text, with `/n` a tool call, with `/thought` a thought. */
function answersOf(texts: Writings, id: string, after: number): Answer[] {
  const found = new Map<number, Answer>();
  for (const [channel, { text, hasGap }] of texts) {
    const [place, call] = channel.slice(id.length + 1).split("/");
    const position = Number(place);
    if (position <= after) continue;
    const answer = found.get(position) ?? { position, text: "", thought: "", calls: [] };
    if (call === undefined) answer.text = hasGap ? `… ${text}` : text;
    else if (call === "thought") answer.thought = hasGap ? `… ${text}` : text;
    else if (!hasGap) answer.calls.push(text.split("\n", 1)[0] ?? "");
    found.set(position, answer);
  }
  return [...found.values()].sort((one, other) => one.position - other.position);
}

function Thinking({ agent }: { agent: string }) {
  return (
    <p className={styles.quiet}>
      <Dots>{agent} is at work</Dots>
    </p>
  );
}

function Dots({ children }: { children: ReactNode }) {
  return (
    <span className={styles.thinking}>
      <span className={styles.dots} aria-hidden>
        <i />
        <i />
        <i />
      </span>
      <span>{children}</span>
    </span>
  );
}
