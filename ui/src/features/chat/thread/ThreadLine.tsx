import { Text } from "@mantine/core";

import { Visible } from "@/features/gate/shared/Untrusted";
import { useMe } from "@/features/identity/useMe";
import { Markdown } from "@/markdown/Markdown";

import styles from "../transcript/Conversation.module.css";
import { Files } from "../transcript/Files";
import { MessageRow, Row, Spoken, Words } from "../transcript/MessageRow";
import { Told } from "../transcript/Told";
import { EditBox } from "./EditBox";
import type { Line } from "./lines";
import { AnswerFooter, SaidFooter } from "./MessageFooter";
import { Sources } from "./Sources";
import type { Talk } from "./talk";

interface Props {
  line: Line;
  talk: Talk;
  /** Who said what stands in a transcript alone. */
  asker: { first: string; later: string };
  /** The last line: what can be done with it is in sight. */
  isLast: boolean;
}

/** One line of a conversation. */
export function ThreadLine({ line, talk, asker, isLast }: Props) {
  switch (line.kind) {
    case "told":
      return <Told messages={line.messages} />;
    case "turn":
      return (
        <MessageRow
          sessionId={line.session.id}
          turn={line.turn}
          agent={line.session.agentName}
          speaker={line.turn.message.step === 0 ? asker.first : asker.later}
        />
      );
    case "deleted":
      return <Text className={styles.quiet}>A message was deleted here.</Text>;
    case "word":
      return (
        <p className={styles.quiet}>
          <Visible>{line.message.content}</Visible>
        </p>
      );
    case "said":
      return <Said line={line} talk={talk} isLast={isLast} />;
    case "answer":
      return <Answer line={line} talk={talk} isLast={isLast} />;
  }
}

type Of<Kind extends Line["kind"]> = Omit<Props, "line" | "asker"> & {
  line: Extract<Line, { kind: Kind }>;
};

/** What a person said. */
function Said({ line: { message, heard, session }, talk, isLast }: Of<"said">) {
  const me = useMe();
  const speaker = message.userId === me.id ? "You" : message.username || "The command line";
  if (talk.editing?.id === message.id) return <EditBox message={message} talk={talk} />;
  return (
    <Words
      speaker={speaker}
      text={message.content}
      at={message.createdAt}
      sent={heard?.message.sent?.content}
      footer={<SaidFooter message={message} talk={talk} isLast={isLast} />}
    >
      {heard && session ? (
        <Files sessionId={session.id} message={heard.message} />
      ) : (
        message.attachments.map(({ name }, place) => (
          <p key={place} className={styles.quiet}>
            <Visible>{name}</Visible>
          </p>
        ))
      )}
    </Words>
  );
}

/** What an agent said, with all that it did for it. */
function Answer({ line: { message, turns, session }, talk, isLast }: Of<"answer">) {
  const speaker = message?.username || session?.agentName || "";
  const at = message?.createdAt ?? turns[0]?.message.createdAt;
  return (
    <Row
      speaker={speaker}
      at={at}
      footer={message && <AnswerFooter message={message} talk={talk} isLast={isLast} />}
    >
      <div className={styles.spoken}>
        {session && turns.length > 0
          ? turns.map((turn) => (
              <Spoken key={turn.message.position} sessionId={session.id} turn={turn} />
            ))
          : message && <Markdown>{message.content}</Markdown>}
        {message && <Sources of={message} />}
      </div>
    </Row>
  );
}
