import { Button, Text, Title } from "@mantine/core";

import { Unfold } from "@/components/Unfold";
import { Untrusted } from "@/features/gate/shared/Untrusted";

import { Sent } from "@/features/chat/transcript/Sent";
import { Attempts } from "./Attempts";
import { CallLine } from "./CallLine";
import styles from "./Timeline.module.css";
import { type Attempt, errorOf, figuresOf, type Session, type Step } from "./timeline";
import { figuresInWords } from "./words";

interface Props {
  session: Session;
  step: Step;
  /** Begins a new run at this step; left out where that cannot be. */
  onRetry?: () => void;
  retrying: boolean;
}

/** One step: what the model said, what it wanted done, and what that cost. */
export function StepCard({ session, step, onRetry, retrying }: Props) {
  const { number, message, calls, attempts } = step;
  const child = (id: string | null | undefined) => session.children.find((run) => run.id === id);
  return (
    <li className={styles.step}>
      <div className={styles.head}>
        <Title order={2} size="h3">
          Step {number}
        </Title>
        {onRetry && (
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            disabled={retrying}
            onClick={onRetry}
            aria-label={`Try again from step ${number}`}
          >
            Try again from here
          </Button>
        )}
      </div>
      {message?.content && (
        <div className={styles.words}>
          <Untrusted most={1500}>{message.content}</Untrusted>
          <Sent text={message.content} sent={message.sent?.content} />
        </div>
      )}
      {!message && <Unanswered attempts={attempts} />}
      {calls.length > 0 && (
        <ul className={styles.calls} role="list" aria-label={`Tool calls of step ${number}`}>
          {calls.map((wanted) => (
            <CallLine
              key={wanted.id}
              runId={session.id}
              wanted={wanted}
              child={child(wanted.call?.childId)}
            />
          ))}
        </ul>
      )}
      {attempts.length > 0 && (
        <Unfold
          label={
            <Text span size="sm" c="dimmed">
              {[
                attempts.length > 1 ? `Model, ${attempts.length} attempts` : "Model",
                ...figuresInWords(figuresOf(attempts)),
              ].join(" · ")}
            </Text>
          }
        >
          {() => <Attempts attempts={attempts} />}
        </Unfold>
      )}
    </li>
  );
}

/** The model was asked, and there is nothing to go on with. */
function Unanswered({ attempts }: { attempts: Attempt[] }) {
  const error = errorOf(attempts.at(-1)?.end);
  return (
    <Text size="sm" c="dimmed">
      The model gave no answer
      {error && (
        <>
          : <Untrusted most={300}>{error}</Untrusted>
        </>
      )}
    </Text>
  );
}
