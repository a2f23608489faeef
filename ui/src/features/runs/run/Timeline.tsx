import { Loader, Text } from "@mantine/core";

import { Unfold } from "@/components/Unfold";
import { Untrusted } from "@/features/gate/shared/Untrusted";
import { counted } from "@/features/llm/models/amounts";

import { Sent } from "@/features/chat/transcript/Sent";
import { StepCard } from "./StepCard";
import styles from "./Timeline.module.css";
import { type Message, type Moment, type Session } from "./timeline";
import { useRetry } from "./useRetry";
import { speakerOf } from "./words";

interface Props {
  session: Session;
  moments: Moment[];
}

/** How a run went, from the first word to the last. */
export function Timeline({ session, moments }: Props) {
  const { retry, retrying, mayRetry } = useRetry(session);
  return (
    <ol className={styles.timeline} role="list" aria-label="Timeline">
      {moments.map((moment) =>
        moment.kind === "step" ? (
          <StepCard
            key={moment.key}
            session={session}
            step={moment}
            retrying={retrying}
            onRetry={mayRetry && moment.message ? () => retry(moment.number) : undefined}
          />
        ) : (
          <li key={moment.key} className={styles.moment} data-kind={moment.kind}>
            {moment.kind === "told" ? (
              <Told messages={moment.messages} />
            ) : moment.kind === "summary" ? (
              <Unfold label={speakerOf(moment.message)}>
                {() => <Words message={moment.message} />}
              </Unfold>
            ) : (
              <Spoken message={moment.message} />
            )}
          </li>
        ),
      )}
      {session.status === "running" && (
        <li className={`${styles.moment} ${styles.working}`} role="status">
          <Loader size={14} color="gray" aria-hidden />
          Working on step {session.steps + 1}…
        </li>
      )}
    </ol>
  );
}

/** The prompt, folded: it is long, and the same for every run of the agent. */
function Told({ messages }: { messages: Message[] }) {
  return (
    <Unfold label={`What it was told, in ${counted(messages.length, "message")}`}>
      {() =>
        messages.map((message) => (
          <div key={message.position} className={styles.told}>
            <Text size="sm" c="dimmed">
              {speakerOf(message)}
            </Text>
            <Words message={message} />
          </div>
        ))
      }
    </Unfold>
  );
}

function Spoken({ message }: { message: Message }) {
  return (
    <>
      <Text size="sm" c="dimmed">
        {speakerOf(message)}
      </Text>
      <Words message={message} />
    </>
  );
}

function Words({ message: { content, kind, sent } }: { message: Message }) {
  return (
    <div className={styles.words}>
      <Untrusted most={1500}>
        {kind === "note" ? content.replace(/^\[|\]$/g, "") : content}
      </Untrusted>
      <Sent text={content} sent={sent?.content} />
    </div>
  );
}
