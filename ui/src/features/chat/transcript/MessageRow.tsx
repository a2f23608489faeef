import { memo, type ReactNode } from "react";

import { Unfold } from "@/components/Unfold";
import { Visible } from "@/features/gate/shared/Untrusted";

import { CallLine } from "./CallLine";
import styles from "./Conversation.module.css";
import { Files } from "./Files";
import { Markdown } from "@/markdown/Markdown";
import { Sent } from "./Sent";
import { Thought } from "./Thought";
import { isSameTurn, type Turn } from "./turns";
import { count } from "./words";

const clock = new Intl.DateTimeFormat("en", { timeStyle: "short" });
const exact = new Intl.DateTimeFormat("en", { dateStyle: "full", timeStyle: "medium" });

interface Props {
  sessionId: string;
  turn: Turn;
  agent: string;
  /** Who says what is not the agent's. */
  speaker: string;
  /** Says beside each call why it was allowed or not. */
  withReasons?: boolean;
}

/** One message in its place. What does not change is not drawn again: a conversation may be long. */
export const MessageRow = memo(
  function MessageRow({ sessionId, turn, agent, speaker, withReasons }: Props) {
    const { message, folded, goesOn } = turn;
    const { kind, role, content, createdAt, sent } = message;
    if (kind === "note") return <Note>{content}</Note>;
    if (kind === "summary") return <Summary count={folded} message={message} />;
    if (role !== "assistant") {
      return (
        <Words speaker={speaker} text={content} at={createdAt} sent={sent?.content}>
          <Files sessionId={sessionId} message={message} />
        </Words>
      );
    }
    return (
      <Row speaker={agent} at={createdAt} goesOn={goesOn}>
        <Spoken sessionId={sessionId} turn={turn} withReasons={withReasons} />
      </Row>
    );
  },
  (before, after) =>
    before.sessionId === after.sessionId &&
    before.agent === after.agent &&
    before.speaker === after.speaker &&
    isSameTurn(before.turn, after.turn),
);

type SpokenProps = Pick<Props, "sessionId" | "turn" | "withReasons">;

/** What the agent thought, said and did in one message of its transcript. */
export const Spoken = memo(
  function Spoken({ sessionId, turn: { message, deeds, folded }, withReasons }: SpokenProps) {
    const { kind, content, sent, thought } = message;
    if (kind === "note") return <Note>{content}</Note>;
    if (kind === "summary") return <Summary count={folded} message={message} />;
    return (
      <>
        {thought && <Thought text={thought.text} milliseconds={thought.milliseconds} />}
        {content && <Markdown>{content}</Markdown>}
        <Sent text={content} sent={sent?.content} />
        {deeds.length > 0 && (
          <ul className={styles.deeds} role="list" aria-label="What it did">
            {deeds.map((deed) => (
              <CallLine key={deed.id} sessionId={sessionId} deed={deed} withReason={withReasons} />
            ))}
          </ul>
        )}
      </>
    );
  },
  (before, after) => before.sessionId === after.sessionId && isSameTurn(before.turn, after.turn),
);

interface RowProps {
  speaker: string;
  at?: string;
  said?: boolean;
  goesOn?: boolean;
  /** What can be done with it, and what it cost. */
  footer?: ReactNode;
  children: ReactNode;
}

/** Who speaks, when, and what. */
export function Row({ speaker, at, said, goesOn, footer, children }: RowProps) {
  return (
    <article className={styles.row} aria-label={speaker} data-goes-on={goesOn || undefined}>
      <div className={said ? styles.said : undefined}>
        {!goesOn && (
          <div className={styles.head}>
            <span>{speaker}</span>
            {at && (
              <time dateTime={at} title={exact.format(new Date(at))}>
                {clock.format(new Date(at))}
              </time>
            )}
          </div>
        )}
        {children}
      </div>
      {footer}
    </article>
  );
}

interface WordsProps {
  speaker: string;
  text: string;
  at?: string;
  /** What the model got in their place. */
  sent?: string | null;
  footer?: ReactNode;
  children?: ReactNode;
}

/** What was said to the agent, as it was typed. */
export function Words({ speaker, text, at, sent, footer, children }: WordsProps) {
  return (
    <Row speaker={speaker} at={at} said footer={footer}>
      <p className={styles.words} dir="auto">
        <Visible>{text}</Visible>
      </p>
      <Sent text={text} sent={sent} />
      {children}
    </Row>
  );
}

/** Something that happened to the session. The brackets are for the model. */
function Note({ children }: { children: string }) {
  return (
    <p className={styles.quiet}>
      <Visible>{children.replace(/^\[|\]$/g, "")}</Visible>
    </p>
  );
}

function Summary({ count: folded, message }: { count: number; message: Turn["message"] }) {
  return (
    <Unfold
      look="inline"
      label={
        <span className={styles.quiet}>
          Summary of {count(folded, "earlier message")}: the agent goes on from this
        </span>
      }
    >
      <div className={styles.inside}>
        <Markdown>{message.content}</Markdown>
        <Sent text={message.content} sent={message.sent?.content} />
      </div>
    </Unfold>
  );
}
